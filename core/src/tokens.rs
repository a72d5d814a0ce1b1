//! Text into tokens, and how often each is in each of many texts.

use foldhash::fast::RandomState;
use regex::Regex;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Terrier drops what is longer.
const LONGEST: usize = 20;
/// Terrier drops what has more digits.
const DIGITS: usize = 4;
/// Terrier drops what repeats one character more often in a row.
const REPEATS: usize = 3;

/// How text is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// As Terrier's English tokeniser does.
    Terrier,
    /// Runs of letters, numbers and marks.
    Words,
    /// So many characters in a row, within words.
    Ngrams(usize),
}

impl Rule {
    /// Hands on every token of a text, in order.
    pub fn cut(self, text: &str, mut each: impl FnMut(&str)) {
        match self {
            Self::Terrier => terrier(text, &mut each),
            Self::Words => words(text, &mut each),
            Self::Ngrams(n) => words(text, &mut |word: &str| ngrams(word, n, &mut each)),
        }
    }
}

fn terrier(text: &str, each: &mut impl FnMut(&str)) {
    let mut room = [0; LONGEST];
    // Every byte of a longer character is above ASCII, so bytes are as good as characters.
    for run in text.as_bytes().split(|byte| !byte.is_ascii_alphanumeric()) {
        if run.is_empty() || !is_kept(run) {
            continue;
        }
        let token = &mut room[..run.len()];
        token.copy_from_slice(run);
        token.make_ascii_lowercase();
        each(std::str::from_utf8(token).expect("letters and digits of ASCII"));
    }
}

/// Whether Terrier keeps a run of letters and digits; it looks before lower-casing.
fn is_kept(run: &[u8]) -> bool {
    run.len() <= LONGEST
        && run.iter().filter(|byte| byte.is_ascii_digit()).count() <= DIGITS
        && run
            .chunk_by(|one, next| one == next)
            .all(|same| same.len() <= REPEATS)
}

fn words(text: &str, each: &mut impl FnMut(&str)) {
    static WORD: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[\p{L}\p{N}\p{M}]+").expect("a sound pattern"));
    let mut room = String::new();
    // Most runs are ASCII, which needs no tables of Unicode.
    for run in text.split(|letter: char| letter.is_ascii() && !letter.is_ascii_alphanumeric()) {
        if run.is_empty() {
            continue;
        }
        if run.is_ascii() {
            room.clear();
            room.push_str(run);
            room.make_ascii_lowercase();
            each(&room);
        } else {
            let found = WORD.find_iter(run);
            found.for_each(|word| each(&word.as_str().to_lowercase()));
        }
    }
}

/// Words that are shorter than `n` characters stay whole.
fn ngrams(word: &str, n: usize, each: &mut impl FnMut(&str)) {
    let starts = word.char_indices().map(|(at, _)| at);
    let ends = word.char_indices().map(|(at, _)| at).skip(n);
    let mut whole = true;
    for (start, end) in starts.zip(ends.chain([word.len()])) {
        whole = false;
        each(&word[start..end]);
    }
    if whole {
        each(word);
    }
}

/// The distinct tokens of many texts, and how often each is in each text.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// In order of first appearance.
    pub tokens: Vec<String>,
    /// Where the entries of each text start, and the end of the last.
    pub indptr: Vec<i64>,
    /// Tokens of each text by number, ascending.
    pub ids: Vec<i32>,
    /// How often the text has the token.
    pub counts: Vec<i32>,
}

/// Counts the tokens of each text.
pub fn count<'t>(rule: Rule, texts: impl IntoIterator<Item = &'t str>) -> Counts {
    let mut numbers: HashMap<String, i32, RandomState> = HashMap::default();
    let mut tokens = Vec::new();
    let mut counts = Counts::default();
    counts.indptr.push(0);
    // How often the text at hand has each token; zero again when it is done.
    let mut tally: Vec<i32> = Vec::new();
    for text in texts {
        let start = counts.ids.len();
        rule.cut(text, |token| {
            let number = numbers.get(token).copied().unwrap_or_else(|| {
                let number = i32::try_from(tokens.len()).expect("a batch fits memory");
                numbers.insert(token.to_owned(), number);
                tokens.push(token.to_owned());
                tally.push(0);
                number
            });
            let times = &mut tally[number as usize];
            if *times == 0 {
                counts.ids.push(number);
            }
            *times += 1;
        });
        let ids = &mut counts.ids[start..];
        ids.sort_unstable();
        let times = ids
            .iter()
            .map(|&id| std::mem::take(&mut tally[id as usize]));
        counts.counts.extend(times);
        counts.indptr.push(counts.ids.len() as i64);
    }
    counts.tokens = tokens;
    counts
}

#[cfg(test)]
mod tests {
    use super::{Counts, Rule, count};

    fn tokens(rule: Rule, text: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        rule.cut(text, |token| tokens.push(token.to_owned()));
        tokens
    }

    #[test]
    fn terrier_looks_at_a_run_before_it_lowers_it() {
        let text = "A-1 aaa aaaa AaAa 12345 a1b2c3d4 \u{e9}t\u{e9}";
        let expected = ["a", "1", "aaa", "aaaa", "a1b2c3d4", "t"];
        assert_eq!(tokens(Rule::Terrier, text), expected);
        let longest = "ab".repeat(10);
        assert_eq!(tokens(Rule::Terrier, &longest), [longest.as_str()]);
        assert!(tokens(Rule::Terrier, &format!("{longest}c")).is_empty());
    }

    #[test]
    fn words_hold_letters_numbers_and_marks() {
        let text = "Caf\u{e9} cafe\u{301}; x\u{b2}_\u{3a3}\u{391}\u{3a3}";
        let expected = [
            "caf\u{e9}",
            "cafe\u{301}",
            "x\u{b2}",
            "\u{3c3}\u{3b1}\u{3c2}",
        ];
        assert_eq!(tokens(Rule::Words, text), expected);
    }

    #[test]
    fn ngrams_stay_within_words() {
        let text = "\u{c9}t\u{e9}s, to a";
        let expected = ["\u{e9}t\u{e9}", "t\u{e9}s", "to", "a"];
        assert_eq!(tokens(Rule::Ngrams(3), text), expected);
    }

    #[test]
    fn tokens_are_numbered_as_they_come() {
        let found = count(Rule::Words, ["b a b", "", "c a"]);
        let expected = Counts {
            tokens: ["b", "a", "c"].map(str::to_owned).to_vec(),
            indptr: vec![0, 2, 2, 4],
            ids: vec![0, 1, 1, 2],
            counts: vec![2, 1, 1, 1],
        };
        assert_eq!(found, expected);
    }
}
