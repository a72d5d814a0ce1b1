import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mohs.analysis.anova.formula import (
    MODELS,
    Formula,
    model,
    name_of,
    parse_formula,
)
from mohs.errors import InputError, UnknownNameError

# What a formula says, and the terms it stands for.
TERMS = {
    "~ topic": "topic",
    "~topic+system": "topic, system",
    " \t~\n topic +\n system ": "topic, system",
    "~ 1 + topic": "topic",
    "~ topic + 1 + 1": "topic",
    "~ + topic": "topic",
    "~ - topic + system": "system",
    "~ ((topic))": "topic",
    # Interactions, crossed and nested factors.
    "~ a:b": "a:b",
    "~ a*b": "a, b, a:b",
    "~ a/b": "a, a:b",
    "~ a/b/c": "a, a:b, a:b:c",
    "~ (a + b)/c": "a, b, a:b:c",
    "~ a/(b + c)": "a, a:b, a:c",
    "~ a/(b/c)": "a, a:b, a:b:c",
    "~ (a*b)/c": "a, b, a:b, a:b:c",
    "~ a*b*c": "a, b, c, a:b, a:c, b:c, a:b:c",
    "~ (a + b):(c + d)": "a:c, a:d, b:c, b:d",
    # Precedence, and from left to right.
    "~ a + b*c": "a, b, c, b:c",
    "~ a*b:c": "a, b:c, a:b:c",
    "~ a/b:c": "a, a:b:c",
    "~ a/b*c": "a, c, a:b, a:c, a:b:c",
    "~ a*b/c": "a, b, a:b, a:b:c",
    "~ a - b + b": "a, b",
    "~ a - (b + a) + c": "c",
    # What is said twice counts once, as it was said first.
    "~ a + a": "a",
    "~ a:a": "a",
    "~ a:b:a": "a:b",
    "~ a*a": "a",
    "~ a/a": "a",
    "~ topic:system + system:topic": "topic:system",
    "~ system:topic + topic*system": "topic, system, system:topic",
    # Removal knows terms by their factors, in whatever order.
    "~ a*b - b:a": "a, b",
    "~ a*b*c - a:b:c": "a, b, c, a:b, a:c, b:c",
    "~ a*b - a": "b, a:b",
    "~ a + b - c": "a, b",
    "~ a + b - a + a": "b, a",
    # Degree decides first, then the order of entry.
    "~ c:b:a + b:a + c + b": "c, b, b:a, c:b:a",
    # Names.
    "~ ir_model + v1.2 + _x + a. + if": "ir_model, v1.2, _x, a., if",
    "~ тема:système + 系统": "系统, тема:système",
    "~ विषय": "विषय",
    "~ `a`+a": "a",
    "~ `1`": "1",
    "~ `a + (b`": "a + (b",
    "~ `~`": "~",
    "~ `a\tb`/`C(x)`": "a\tb, a\tb:C(x)",
}
RESPONSES = {
    "~ a": None,
    " ~ a": None,
    "AP ~ a": "AP",
    " nDCG@20~a": "nDCG@20",
    "P(rel=2)@10 ~ a": "P(rel=2)@10",
    "log(AP) + 1 ~ a": "log(AP) + 1",
    "`x y` ~ `~`": "`x y`",
}
# What is refused: the character, what is wrong with it, and a way out.
REFUSED = {
    "": (1, "there is no ~", "write ~ topic + system"),
    "topic + system": (1, "there is no ~", "write ~ topic + system"),
    "~": (2, "no factors follow", "write ~ topic + system"),
    "AP ~ \n": (7, "no factors follow", "write ~ topic + system"),
    "~ a ~ b": (5, "'~' is no operator here", "use + - * / : ( )"),
    # Parentheses and backticks.
    "~ (a + b": (3, "this ( is never closed", "add a )"),
    "~ ((a) + b": (3, "this ( is never closed", "add a )"),
    "~ a + b)": (8, "this ) was never opened", "remove it or add a ("),
    "~ ()": (4, "expected a factor, found )", "use + - * / : ( )"),
    "~ a + `b": (7, "this backtick begins no name", "one on each side"),
    "~ ``": (3, "this backtick begins no name", "one on each side"),
    "`a~b` ~ c": (5, "this backtick begins no name", "one on each side"),
    # Factors and operators.
    "~ a +": (6, "expected a factor, found the end", "use + - * / : ( )"),
    "~ a + * b": (7, "expected a factor, found *", "use + - * / : ( )"),
    "~ * a": (3, "expected a factor, found *", "use + - * / : ( )"),
    "~ a + -b": (7, "expected a factor, found -", "use + - * / : ( )"),
    "~ a b": (5, "expected an operator before this", "odd names in backticks"),
    "~ (a b)": (6, "expected an operator before this", "odd names in backticks"),
    "~ (a)(b)": (6, "expected an operator before this", "use + - * / : ( )"),
    "~ a 1": (5, "expected an operator before this", "use + - * / : ( )"),
    "~ a^2": (4, "'^' is no operator here", "use + - * / : ( )"),
    "~ (a + b)**2": (10, "** is no operator here", "use + - * / : ( )"),
    "~ a %in% b": (5, "'%' is no operator here", "use + - * / : ( )"),
    "~ a, b": (4, "',' is no operator here", "use + - * / : ( )"),
    "~ a \N{MULTIPLICATION SIGN} b": (5, "is no operator here", "use + - * / : ( )"),
    "~ a + (1|topic)": (9, "'|' is no operator here", "--random topic"),
    "~ a + (1 | topic)": (10, "'|' is no operator here", "--random topic"),
    "~ C(topic)": (3, "C(...) would be a function", "name a column"),
    "~ a + log(x^2)": (7, "log(...) would be a function", "name a column"),
    "~ topic (a, b)": (3, "topic(...) would be a function", "put + before the ("),
    "~ 2nd": (3, "'2nd' begins with no letter", "in backticks"),
    "~ a + 2.5": (7, "'2.5' begins with no letter", "in backticks"),
    "~ .": (3, "'.' begins with no letter", "in backticks"),
    "~ \0": (3, r"'\x00' is no operator here", "use + - * / : ( )"),
    # The intercept.
    "~ 0 + a": (3, "without intercept is not offered", "remove it"),
    "~ a + 0": (7, "without intercept is not offered", "remove it"),
    "~ a - 0": (7, "without intercept is not offered", "remove it"),
    "~ -1 + a": (3, "without intercept is not offered", "remove it"),
    "~ a - 1": (5, "without intercept is not offered", "remove it"),
    "~ a - (b + 1)": (5, "without intercept is not offered", "remove it"),
    "~ a:1": (4, "1 has no place beside :", "it can be added"),
    "~ (1 + a)*b": (10, "1 has no place beside *", "it can be added"),
    # Nothing left.
    "~ 1": (4, "no terms are left", "add a factor that stays"),
    "~ a - a": (8, "no terms are left", "add a factor that stays"),
    "~ a*b - b*a": (12, "no terms are left", "add a factor that stays"),
    "~ a + (b - b):c": (14, "no terms are left beside :", "add a factor"),
    "~ (a - a)/b": (10, "no terms are left beside /", "add a factor"),
}
# Far beyond what anyone means, and refused before time or Python's stack runs out.
DEEP = "too deeply nested, over 100 parentheses are open"
MANY = "this makes more than 4,096 terms"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
HUGE = {
    "~ " + "(" * 10_000 + "a" + ")" * 10_000: DEEP,
    "~ " + "a + a*a:(" * 101 + "a" + ")" * 101: DEEP,
    "~ " + "(" * 10_000: DEEP,
    "~ " + "*".join(LETTERS): MANY,
    "~ " + "*".join(LETTERS[:13]): MANY,
    "~ " + "+".join(f"x{i}" for i in range(4097)): MANY,
    "~ (" + "*".join(LETTERS[:7]) + ")" + ":a" * 10_000: MANY,
    "~ ({0})/({0})".format("+".join(f"x{i}" for i in range(2000))): MANY,
    "~ a" + "+" * 1_000_000: "expected a factor, found +",
}
ALLOWED = {
    "~ " + "(" * 100 + "a" + ")" * 100: 1,
    "~ " + "a + a*a:(" * 100 + "a" + ")" * 100: 1,
    "~ " + "(a) + " * 1000 + "a": 1,
    "~ " + "*".join(LETTERS[:12]): 4095,
    "~ " + "+".join(f"x{i}" for i in range(4096)): 4096,
}
READY = {
    "c21-within": "topic, system, topic:formulation, topic:system",
    "c21-across": "topic, system, corpus, topic:formulation, topic:system, topic:corpus"
    ", system:corpus, topic:formulation:system, topic:formulation:corpus"
    ", topic:system:corpus",
    "z19-1": "system, topic, corpus, corpus:system, corpus:topic",
    "z19-2": "system, topic, ir_model, stemmer, qe, corpus, corpus:system"
    ", corpus:topic",
}


def listed(formula: Formula) -> str:
    return ", ".join(map(name_of, formula.terms))


@pytest.mark.parametrize("text", TERMS)
def test_formulas_stand_for_terms(text: str) -> None:
    assert listed(parse_formula(text)) == TERMS[text]


@pytest.mark.parametrize("text", RESPONSES)
def test_responses_are_kept_as_they_are(text: str) -> None:
    assert parse_formula(text).response == RESPONSES[text]


@pytest.mark.parametrize("text", [*TERMS, *RESPONSES, *MODELS.values()])
def test_formulas_print_what_reads_the_same(text: str) -> None:
    formula = parse_formula(text)
    assert parse_formula(str(formula)) == formula


def test_formulas_print_as_sums() -> None:
    assert str(parse_formula(" AP~`1`/(b+b)")) == "AP ~ `1` + `1`:b"


@pytest.mark.parametrize("text", REFUSED)
def test_refusals_say_what_where_and_the_way_out(text: str) -> None:
    at, problem, remedy = REFUSED[text]
    with pytest.raises(InputError) as caught:
        parse_formula(text)
    where, _, rest = str(caught.value).partition(": ")
    assert where == f"formula {text!r}, character {at}"
    found, _, advice = rest.partition("; ")
    assert problem in found
    assert remedy in advice


@pytest.mark.parametrize("text", HUGE, ids=range(len(HUGE)))
def test_formulas_beyond_measure_are_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_formula(text)
    assert HUGE[text] in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("text", ALLOWED, ids=range(len(ALLOWED)))
def test_long_formulas_are_read(text: str) -> None:
    assert len(parse_formula(text).terms) == ALLOWED[text]


def test_long_formulas_are_shown_around_the_fault() -> None:
    text = "~ " + " + ".join(f"factor_{i}" for i in range(100)) + " ? " + "b" * 100
    shown = r"formula '\.{3}or_97 [+ \w]+ factor_99 \? b{28}\.{3}', character 1191:"
    with pytest.raises(InputError, match=shown):
        parse_formula(text)


@given(st.text() | st.text("~ab1`()+-*/:.| ", max_size=40).map("~".__add__))
@example("~ \ud800")
@example("~ \r\n\u2028")
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    try:
        formula = parse_formula(text)
    except InputError as error:
        assert str(error).isprintable()  # noqa: PT017
    else:
        assert formula.terms
        assert parse_formula(str(formula)) == formula


def test_ready_models_stand_for_the_terms_of_the_papers() -> None:
    assert {name: listed(model(name)) for name in MODELS} == READY


def test_unknown_models_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'c21-within'"):
        model("c21-with")
