"""``mohs anova``: say why scores differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mohs.cli.options import (
    add_formulation,
    add_limit,
    add_scores,
    add_seed,
    files_of,
    scores,
)
from mohs.cli.output import (
    add_chart,
    add_output,
    check_chart,
    check_output,
    check_show,
    deliver,
    draw,
    how_made,
    show_below,
    tell,
)
from mohs.errors import InputError

if TYPE_CHECKING:
    import argparse

    from mohs.files import Provenance

SUMMARY = "say which factors explain the scores, and how much (analysis of variance)"

EPILOG = """\
SCORES is a table of scores. In a FORMULA, + adds a term, a:b is the interaction of a
and b, a*b is a + b + a:b, a/b (b nested in a) is a + a:b, and - removes a term. Odd
names stand in `backticks`; on the left of ~ may stand the measure. Ready models:

  c21-within  ~ topic/formulation + system + topic:system
  c21-across  ~ (topic/formulation)*(system + corpus) + system:corpus
                + topic:system:corpus
  z19-1       ~ system + topic + corpus + corpus:system + corpus:topic
  z19-2       z19-1 with ir_model, stemmer and qe behind topic

omega2_partial is what a term explains of what the other terms leave: small from .01,
medium from .06, large from .14. A term that is a function of others is aliased, with
df 0. F is against the residual, which answers for the levels at hand; with --random,
f_random answers for the population that they were drawn from.

Tables of -o FOLDER/: anova (the one that a file gets), means, design, sphericity (with
--random), tukey and groups, sensitivity, checks and quantiles.

examples:
  mohs anova scores.csv '~ topic + system' --measure AP
  mohs anova grid.parquet 'AP ~ topic + stoplist*stemmer*model' --tukey stemmer
  mohs anova grid.parquet '~ topic + stemmer*model' --chart f.pdf --show interaction
  mohs anova grid.parquet --model c21-across --random topic formulation -o tables/
"""

# Tables that a terminal shows below the first, if they are there.
_FOLLOWING = ("sphericity", "groups", "sensitivity", "checks")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = EPILOG
    parser.usage = (
        "%(prog)s SCORES FORMULA [OPTIONS]\n       %(prog)s SCORES --model NAME"
        " [OPTIONS]"
    )
    parser.add_argument("source", metavar="SCORES", help="a table of scores")
    parser.add_argument(
        "formula", metavar="FORMULA", nargs="?", help="the model, '~ topic + system'"
    )
    _add_model(parser)
    group = add_scores(parser)
    add_formulation(group)
    add_limit(group)
    add_output(parser).add_argument(
        "--paper",
        action="store_true",
        help="only the terms, as papers print them: rounded, intervals in brackets",
    )
    add_chart(parser).add_argument(
        "--show",
        metavar="NAME",
        help="what the picture shows: effects (of every term, default), means (of every"
        " level), interaction (of the two factors that interact the most), groups (of"
        " --tukey) or residuals",
    )
    add_seed(parser)


def _add_model(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("model")
    group.add_argument("--model", metavar="NAME", help="a ready model, see below")
    group.add_argument(
        "--type",
        type=int,
        choices=(1, 2, 3),
        default=2,
        help="of sums of squares where the design is not balanced: each term adjusted"
        " for those before it (1), all that do not contain it (2, default), or all (3)",
    )
    group.add_argument(
        "--random",
        metavar="COLUMN",
        nargs="+",
        action="extend",
        default=[],
        help="factors whose levels were drawn from a population, such as topic",
    )
    group.add_argument(
        "--intervals",
        choices=("bootstrap", "noncentral", "none"),
        help="of omega2_partial: from topics drawn anew (default where the design is"
        " balanced), or from the non-central F",
    )
    group.add_argument(
        "--tukey",
        metavar="COLUMN",
        help="compare all levels of a factor, and group those not told apart",
    )
    group.add_argument(
        "--sensitivity",
        action="store_true",
        help="also try the model on logits, ranks and standardised scores, and look at"
        " the residuals",
    )


def run(args: argparse.Namespace) -> int:
    """Analyse the scores, and show, write or draw the result."""
    check_output(args)
    check_chart(args)
    _check_show(args)
    _find_formula(args)
    from mohs.analysis.anova import anova

    asked = {
        "formula": args.formula,
        "model": args.model,
        "type": args.type,
        "random": args.random,
        "tukey": args.tukey,
        "intervals": args.intervals,
        "sensitivity": args.sensitivity,
        "formulation": args.formulation,
        "max_bytes": args.max_bytes,
        "seed": args.seed,
        **scores(args),
    }
    result = anova(args.source, **asked)
    tell(result.notes)

    def made() -> Provenance:
        return how_made("anova", asked, files_of(args.source))

    tables = result.tables()
    deliver(args, {"paper": result.paper()} if args.paper else tables, made)
    show_below(args, tables, _FOLLOWING)
    draw(args, result, **({"show": args.show} if args.show else {}))
    return 0


def _check_show(args: argparse.Namespace) -> None:
    """Refuse what could not be shown, before any work is done."""
    check_show(args, "mohs.charts.anova")
    if args.show == "groups" and not args.tukey:
        from mohs.charts.groups import NO_GROUPS

        raise InputError(NO_GROUPS)


def _find_formula(args: argparse.Namespace) -> None:
    """Take back a formula that stands behind the columns of --random."""
    if args.formula is None and args.random and "~" in args.random[-1]:
        args.formula = args.random.pop()
