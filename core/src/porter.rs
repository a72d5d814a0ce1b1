//! Porter's stemmer, as its author's own programs have it.
//!
//! M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the
//! three changes that he made to it later and marks as departures in his programs: words
//! of one or two letters stay, `bli` takes the place of `abli`, and `logi` becomes `log`.
//! The weak form stops after steps 1a and 1b.

/// A word on its way to its stem. Text is in units of UTF-16, in which Java counts.
#[derive(Default)]
struct Word {
    text: Vec<u16>,
    /// Whether each unit is a consonant, which only those before it decide.
    consonants: Vec<bool>,
}

/// Returns the stem of a word in lower case.
pub fn stem(word: &str, weak: bool) -> String {
    let mut stem = Word::default();
    stem.extend(word.encode_utf16());
    if stem.text.len() > 2 {
        stem.plurals();
        stem.past();
        if !weak {
            stem.final_y();
            stem.replace(&DOUBLE);
            stem.replace(&SINGLE);
            stem.strip();
            stem.final_e();
        }
    }
    // Only whole characters are ever cut off.
    String::from_utf16_lossy(&stem.text)
}

/// Step 2: the longest suffix that fits, and what takes its place.
const DOUBLE: [(&str, &str); 21] = [
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("logi", "log"),
];

/// Step 3.
const SINGLE: [(&str, &str); 7] = [
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];

/// Step 4; `ion` has a condition of its own.
const ENDINGS: [&str; 19] = [
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
];

impl Word {
    fn extend(&mut self, units: impl Iterator<Item = u16>) {
        for unit in units {
            let consonant = match u8::try_from(unit) {
                Ok(b'a' | b'e' | b'i' | b'o' | b'u') => false,
                Ok(b'y') => self.consonants.last().is_none_or(|before| !before),
                _ => true,
            };
            self.text.push(unit);
            self.consonants.push(consonant);
        }
    }

    fn push(&mut self, suffix: &str) {
        self.extend(suffix.bytes().map(u16::from));
    }

    fn keep(&mut self, length: usize) {
        self.text.truncate(length);
        self.consonants.truncate(length);
    }

    fn drop(&mut self, letters: usize) {
        self.keep(self.text.len() - letters);
    }

    /// How often a vowel is followed by a consonant among the first letters.
    fn measure(&self, length: usize) -> usize {
        let pairs = self.consonants[..length].windows(2);
        pairs.filter(|pair| !pair[0] && pair[1]).count()
    }

    fn has_vowel(&self, length: usize) -> bool {
        self.consonants[..length].contains(&false)
    }

    /// How long the word is without a suffix that it has.
    fn before(&self, suffix: &str) -> Option<usize> {
        let start = self.text.len().checked_sub(suffix.len())?;
        let matches = self.text[start..]
            .iter()
            .copied()
            .eq(suffix.bytes().map(u16::from));
        matches.then_some(start)
    }

    fn ends(&self, suffix: &str) -> bool {
        self.before(suffix).is_some()
    }

    fn ends_double(&self, length: usize) -> bool {
        length >= 2 && self.text[length - 1] == self.text[length - 2] && self.consonants[length - 1]
    }

    /// Whether the first letters end in consonant, vowel, consonant, but w, x or y.
    fn ends_short(&self, length: usize) -> bool {
        length >= 3
            && self.consonants[length - 1]
            && !self.consonants[length - 2]
            && self.consonants[length - 3]
            && !"wxy"
                .bytes()
                .any(|letter| self.text[length - 1] == u16::from(letter))
    }

    /// Step 1a.
    fn plurals(&mut self) {
        if self.ends("sses") || self.ends("ies") {
            self.drop(2);
        } else if self.ends("s") && !self.ends("ss") {
            self.drop(1);
        }
    }

    /// Step 1b.
    fn past(&mut self) {
        if let Some(stem) = self.before("eed") {
            if self.measure(stem) > 0 {
                self.drop(1);
            }
            return;
        }
        let Some(stem) = self.before("ed").or_else(|| self.before("ing")) else {
            return;
        };
        if !self.has_vowel(stem) {
            return;
        }
        self.keep(stem);
        if self.ends("at") || self.ends("bl") || self.ends("iz") {
            self.push("e");
        } else if self.ends_double(stem) {
            if !(self.ends("l") || self.ends("s") || self.ends("z")) {
                self.drop(1);
            }
        } else if self.measure(stem) == 1 && self.ends_short(stem) {
            self.push("e");
        }
    }

    /// Step 1c.
    fn final_y(&mut self) {
        if self.before("y").is_some_and(|stem| self.has_vowel(stem)) {
            self.drop(1);
            self.push("i");
        }
    }

    /// Replaces the first suffix of a table that fits, if there is a stem before it.
    fn replace(&mut self, table: &[(&str, &str)]) {
        let found = table
            .iter()
            .find_map(|(suffix, with)| self.before(suffix).map(|stem| (stem, with)));
        if let Some((stem, with)) = found
            && self.measure(stem) > 0
        {
            self.keep(stem);
            self.push(with);
        }
    }

    /// Step 4.
    fn strip(&mut self) {
        let fits = |suffix: &&str| {
            self.before(suffix)
                .filter(|&stem| *suffix != "ion" || self.is_before_ion(stem))
        };
        if let Some(stem) = ENDINGS.iter().find_map(fits)
            && self.measure(stem) > 1
        {
            self.keep(stem);
        }
    }

    fn is_before_ion(&self, stem: usize) -> bool {
        stem > 0
            && "st"
                .bytes()
                .any(|letter| self.text[stem - 1] == u16::from(letter))
    }

    /// Step 5.
    fn final_e(&mut self) {
        if let Some(stem) = self.before("e") {
            let measure = self.measure(stem);
            if measure > 1 || measure == 1 && !self.ends_short(stem) {
                self.drop(1);
            }
        }
        if self.ends("ll") && self.measure(self.text.len()) > 1 {
            self.drop(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::stem;

    /// Word, stem and weak stem, from the examples of the paper and of the departures.
    const STEMS: [(&str, &str, &str); 24] = [
        ("caresses", "caress", "caress"),
        ("ponies", "poni", "poni"),
        ("cats", "cat", "cat"),
        ("feed", "feed", "feed"),
        ("agreed", "agre", "agree"),
        ("plastered", "plaster", "plaster"),
        ("sing", "sing", "sing"),
        ("conflated", "conflat", "conflate"),
        ("hopping", "hop", "hop"),
        ("falling", "fall", "fall"),
        ("filing", "file", "file"),
        ("happy", "happi", "happy"),
        ("relational", "relat", "relational"),
        ("generalizations", "gener", "generalization"),
        ("oscillators", "oscil", "oscillator"),
        ("adoption", "adopt", "adoption"),
        ("controll", "control", "controll"),
        ("cease", "ceas", "cease"),
        ("is", "is", "is"),
        ("probably", "probabl", "probably"),
        ("possibly", "possibl", "possibly"),
        ("archaeology", "archaeolog", "archaeology"),
        ("syzygy", "syzygi", "syzygy"),
        ("\u{1d11e}ing", "\u{1d11e}ing", "\u{1d11e}ing"),
    ];

    #[test]
    fn words_become_stems() {
        for (word, strong, weak) in STEMS {
            assert_eq!(
                (stem(word, false), stem(word, true)),
                (strong.into(), weak.into())
            );
        }
    }

    #[test]
    fn long_words_take_no_longer_per_letter() {
        let long = "y".repeat(1_000_000);
        assert_eq!(stem(&format!("{long}ing"), true).len(), 1_000_000);
    }
}
