//! Random words that are a function of a key and a number, and of nothing else.

/// Philox 4x64-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC
/// 2011), with its words in the order of `NumPy`'s.
pub struct Philox {
    key: [u64; 2],
    stream: u64,
    block: u64,
    words: [u32; 8],
    used: usize,
}

impl Philox {
    /// Makes a generator from a key.
    pub fn new(key: [u64; 2]) -> Self {
        Self {
            key,
            stream: 0,
            block: 0,
            words: [0; 8],
            used: 8,
        }
    }

    /// Goes to the beginning of one of its streams, and takes so many words.
    pub fn open(&mut self, stream: u64, words: usize, taken: &mut Vec<u32>) {
        self.stream = stream;
        self.block = 0;
        taken.clear();
        for _ in 0..words / 8 {
            taken.extend(self.next_block());
        }
        self.words = self.next_block();
        self.used = words % 8;
        taken.extend(&self.words[..self.used]);
    }

    #[inline]
    fn next_block(&mut self) -> [u32; 8] {
        self.block += 1;
        halves(block([self.block, self.stream, 0, 0], self.key))
    }

    /// The next 32 random bits.
    #[inline]
    pub fn word(&mut self) -> u32 {
        if self.used == self.words.len() {
            self.words = self.next_block();
            self.used = 0;
        }
        let word = self.words[self.used];
        self.used += 1;
        word
    }

    /// A number below a bound, every one as likely, from a random word (Lemire, "Fast
    /// random integer generation in an interval", 2019). Refused words are replaced by
    /// the next ones that were not taken.
    #[inline]
    pub fn below(&mut self, word: u32, bound: u32) -> u32 {
        let mut product = u64::from(word) * u64::from(bound);
        if (product as u32) < bound {
            let least = bound.wrapping_neg() % bound;
            while (product as u32) < least {
                product = u64::from(self.word()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }
}

#[inline]
fn block(mut counter: [u64; 4], mut key: [u64; 2]) -> [u64; 4] {
    for _ in 0..10 {
        let left = u128::from(counter[0]) * 0xD2E7_470E_E14C_6C93;
        let right = u128::from(counter[2]) * 0xCA5A_8263_9512_1157;
        counter = [
            (right >> 64) as u64 ^ counter[1] ^ key[0],
            right as u64,
            (left >> 64) as u64 ^ counter[3] ^ key[1],
            left as u64,
        ];
        key[0] = key[0].wrapping_add(0x9E37_79B9_7F4A_7C15);
        key[1] = key[1].wrapping_add(0xBB67_AE85_84CA_A73B);
    }
    counter
}

#[inline]
fn halves(words: [u64; 4]) -> [u32; 8] {
    let mut halves = [0; 8];
    for (pair, word) in halves.chunks_exact_mut(2).zip(words) {
        pair[0] = word as u32;
        pair[1] = (word >> 32) as u32;
    }
    halves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_numpy() {
        // np.random.Philox(key=1 | 2 << 64, counter=[0, 3, 0, 0]).random_raw(5)
        let expected: [u64; 5] = [
            2_533_144_363_980_168_765,
            4_154_714_089_138_655_030,
            4_708_083_050_069_965_526,
            15_439_169_602_403_406_943,
            11_718_119_225_425_969_450,
        ];
        let mut random = Philox::new([1, 2]);
        let mut words = Vec::new();
        random.open(3, 9, &mut words);
        words.push(random.word());
        for (pair, raw) in words.chunks(2).zip(expected) {
            assert_eq!(u64::from(pair[0]) | u64::from(pair[1]) << 32, raw);
        }
    }

    #[test]
    fn numbers_stay_below_their_bound_and_reach_all_of_it() {
        let mut random = Philox::new([0, 0]);
        let mut seen = [0_u32; 7];
        for _ in 0..7000 {
            let word = random.word();
            seen[random.below(word, 7) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| (900..1100).contains(&count)));
    }
}
