//! Elo: what scores say about strength, and how surely.
//!
//! The logistic model (Elo 1978, *The Rating of Chessplayers*): who is `d` points stronger expects the score
//! 1 / (1 + 10^(-d/400)). Errors come from the variance of whole sets of games, not of single ones: the games of a set
//! share their opening, so they are not independent. For sets of two this is the pentanomial variance (Van den Bergh
//! 2019, *Normalized Elo*, <https://www.cantate.be/Fishtest/normalized_elo.pdf>).

/// The score that a difference in Elo lets expect.
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The difference in Elo that a score means; infinite for 0 and 1.
pub fn elo_of(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// What a sample says about a score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean score, from 0 to 1.
    pub score: f64,
    /// What it means in Elo: infinite when everything was won or lost.
    pub elo: f64,
    /// The 95 % interval of that.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// The likelihood of superiority: that the true score is above one half, as far as the sample says.
    pub superiority: f64,
}

/// How many standard deviations hold 95 % of a normal distribution.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// What the scores of independent sets say, each from 0 to 1. Nothing without any.
pub fn estimate(scores: &[f64]) -> Option<Estimate> {
    let count = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / count;
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / count;
    let (low, high, superiority) = match scores.len() {
        0 => return None,
        _ if variance > 1e-12 => {
            let deviation = (variance / count).sqrt();
            (mean - Z95 * deviation, mean + Z95 * deviation, normal_below((mean - 0.5) / deviation))
        }
        // All sets alike: if fewer than this part of all sets were so, so many alike would come about in less than 1 of 40
        // cases. Superiority is that of Laplace's rule.
        _ => {
            let alike = 0.025_f64.powf(1.0 / count);
            let surprise = 0.5_f64.powf(count + 1.0);
            let superiority = match mean {
                mean if mean > 0.5 => 1.0 - surprise,
                mean if mean < 0.5 => surprise,
                _ => 0.5,
            };
            (mean * alike, 1.0 - (1.0 - mean) * alike, superiority)
        }
    };
    let elo = |score: f64| elo_of(score.clamp(0.0, 1.0));
    Some(Estimate { score: mean, elo: elo(mean), low: elo(low), high: elo(high), superiority })
}

/// The standard normal distribution function (series of Marsaglia 2004, *Evaluating the Normal Distribution*).
pub fn normal_below(x: f64) -> f64 {
    if x.abs() > 8.0 {
        return f64::from(u8::from(x > 0.0));
    }
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while sum + term * x * x / (odd + 2.0) != sum {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    0.5 + sum * (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

/// The Elo of each agent that makes the scores most likely, with mean 0: the model of Bradley and Terry, found by the
/// algorithm of Hunter (2004, *MM Algorithms for Generalized Bradley-Terry Models*).
///
/// `scores[a][b]` is what `a` scored against `b`, `games[a][b]` in how many games. One drawn game is added between all
/// who have met, as a prior: without it whoever won everything would be infinitely strong.
pub fn ratings(scores: &[Vec<f64>], games: &[Vec<f64>]) -> Vec<f64> {
    let agents = scores.len();
    let met = |a: usize, b: usize| games[a][b] > 0.0;
    let mut strength = vec![1.0_f64; agents];
    for _ in 0..10_000 {
        let mut change = 0.0_f64;
        for a in 0..agents {
            let others = (0..agents).filter(|&b| met(a, b));
            let (won, shared) = others.fold((0.0, 0.0), |(won, shared), b| {
                (won + scores[a][b] + 0.5, shared + (games[a][b] + 1.0) / (strength[a] + strength[b]))
            });
            if shared > 0.0 {
                change = change.max((won / shared / strength[a]).ln().abs());
                strength[a] = won / shared;
            }
        }
        if change < 1e-9 {
            break;
        }
    }
    let elos: Vec<f64> = strength.iter().map(|strength| 400.0 * strength.log10()).collect();
    let mean = elos.iter().sum::<f64>() / agents.max(1) as f64;
    elos.into_iter().map(|elo| elo - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() < tolerance, "{a} is not {b}");
    }

    #[test]
    fn scores_and_elo_are_each_other_s_inverse() {
        // FIDE Handbook B.02, table 8.1.1, which is of the normal model, gives 193 for 0.75; the logistic one 190.8.
        close(elo_of(0.75), 190.848_501_887_864_97, 1e-9);
        close(expected(400.0), 10.0 / 11.0, 1e-12);
        for elo in [-700.0, -3.0, 0.0, 50.0, 400.0] {
            close(elo_of(expected(elo)), elo, 1e-9);
        }
    }

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        close(normal_below(0.0), 0.5, 1e-15);
        close(normal_below(Z95), 0.975, 1e-12);
        close(normal_below(-1.0), 0.158_655_253_931_457_05, 1e-12);
        assert_eq!((normal_below(40.0), normal_below(-40.0)), (1.0, 0.0));
    }

    #[test]
    fn independent_games_have_the_trinomial_error() {
        // 60 wins, 20 draws, 20 losses: mean 0.7, variance 0.16, so the interval is 0.7 ± 0.0784.
        let scores: Vec<f64> = [(60, 1.0), (20, 0.5), (20, 0.0)].iter().flat_map(|&(n, s)| vec![s; n]).collect();
        let estimate = estimate(&scores).unwrap();
        close(estimate.score, 0.7, 1e-12);
        close(estimate.low, elo_of(0.7 - 1.959_963_984_540_054 * 0.04), 1e-6);
        close(estimate.high, elo_of(0.7 + 1.959_963_984_540_054 * 0.04), 1e-6);
        close(estimate.superiority, normal_below(5.0), 1e-9);
    }

    #[test]
    fn a_clean_sweep_has_a_lower_bound() {
        let estimate = estimate(&[1.0; 10]).unwrap();
        assert_eq!((estimate.elo, estimate.high), (f64::INFINITY, f64::INFINITY));
        // The bound of Clopper and Pearson for 10 of 10: 0.6915.
        close(expected(estimate.low), 0.691_502_8, 1e-6);
        assert_eq!(super::estimate(&[]), None);
    }

    #[test]
    fn ratings_reproduce_the_scores_that_they_imply() {
        // Three agents 100 apart, with many games: the prior hardly counts.
        let truth = [100.0, 0.0, -100.0];
        let games = vec![vec![0.0, 1e6, 1e6], vec![1e6, 0.0, 1e6], vec![1e6, 1e6, 0.0]];
        let score = |a: usize, b: usize| if a == b { 0.0 } else { 1e6 * expected(truth[a] - truth[b]) };
        let scores: Vec<Vec<f64>> = (0..3).map(|a| (0..3).map(|b| score(a, b)).collect()).collect();
        for (found, truth) in ratings(&scores, &games).into_iter().zip(truth) {
            close(found, truth, 0.01);
        }
    }
}
