//! Decimal numbers: exact on a fast path, correctly rounded on the slow one.

/// Powers of ten that a double holds exactly.
const TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Whole numbers up to here are exact in a double.
const EXACT: u64 = 1 << 53;

/// Reads a decimal number; `None` if the field is no number at all.
///
/// The words `nan` and `inf` are read as such, and a number beyond the range of a
/// double as infinite: whether those are welcome is the caller's business.
pub fn parse(field: &[u8]) -> Option<f64> {
    exact(field).or_else(|| rounded(field))
}

/// A quotient of two exact doubles is correctly rounded (Clinger 1990).
fn exact(field: &[u8]) -> Option<f64> {
    let (negative, digits) = match field {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, field),
    };
    if digits.len() > 19 {
        return None;
    }
    let mut mantissa = 0u64;
    let mut point = None;
    for (i, &byte) in digits.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            mantissa = mantissa * 10 + u64::from(digit);
        } else if byte == b'.' && point.is_none() {
            point = Some(i);
        } else {
            return None;
        }
    }
    if mantissa > EXACT || digits.len() == usize::from(point.is_some()) {
        return None;
    }
    let decimals = point.map_or(0, |i| digits.len() - 1 - i);
    #[expect(clippy::cast_precision_loss, reason = "exact: at most 2^53")]
    let value = mantissa as f64 / TEN[decimals];
    Some(if negative { -value } else { value })
}

fn rounded(field: &[u8]) -> Option<f64> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn agrees_with_the_standard_library_to_the_bit() {
        for text in [
            "0",
            "-0",
            "1",
            "+1",
            "1.",
            ".5",
            "18.47860445759335",
            "-2.28234",
            "1e-5",
            "1E5",
            "9007199254740993",
            "0.1",
            "123456789012345678901234567890",
            "1e999",
            "4.9e-324",
            "0.30000000000000004",
            "1234567890123456789",
            "00000000000000000000.1",
        ] {
            let expected: f64 = text.parse().unwrap();
            assert_eq!(
                parse(text.as_bytes()).unwrap().to_bits(),
                expected.to_bits(),
                "{text}"
            );
        }
    }

    #[test]
    fn refuses_what_is_no_decimal_number() {
        for text in [
            "", ".", "-", "+", "0,5", "1.2.3", "0x1p3", "1_000", "abc", "1e", "--1", "1 ",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn knows_the_words_for_what_is_not_finite() {
        assert!(parse(b"NaN").unwrap().is_nan());
        assert!(parse(b"-inf").unwrap().is_infinite());
    }
}
