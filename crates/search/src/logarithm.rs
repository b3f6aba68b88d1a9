//! A natural logarithm that is the same to the last bit on every platform: the standard library's is the C library's.

/// The natural logarithm of a whole number; 0 for 0 and 1. Only IEEE sums, products and quotients are used.
pub(crate) fn ln(number: u64) -> f64 {
    if number < 2 {
        return 0.0;
    }
    let exponent = number.ilog2();
    // ln m = 2 artanh((m - 1) / (m + 1)), with m between 1 and 2: ten terms of the series give 1e-11.
    let mantissa = number as f64 / (1_u64 << exponent) as f64;
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let (square, mut power, mut sum) = (ratio * ratio, ratio, 0.0);
    for term in 0..10 {
        sum += power / f64::from(2 * term + 1);
        power *= square;
    }
    2.0 * sum + f64::from(exponent) * std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::ln;

    #[test]
    fn it_agrees_with_the_standard_library() {
        for number in [1_u64, 2, 3, 7, 10, 1000, 123_456_789, u64::MAX] {
            assert!((ln(number) - (number as f64).ln()).abs() < 1e-9, "{number}");
        }
    }
}
