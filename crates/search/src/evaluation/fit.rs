//! Least squares: how much of the results of games is explained by what.
//!
//! Only IEEE sums, products, quotients and roots are used, in a fixed order: the same numbers on every platform.

/// What a number that was looked at has to do with results.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Slope {
    /// How much a result changes with it.
    pub(super) slope: f64,
    /// How often its own error that is.
    pub(super) certainty: f64,
}

/// The slopes of results on several numbers at once, each row being one observation, with a constant beside.
pub(super) fn slopes(rows: &[Vec<f64>], results: &[f64]) -> Vec<Slope> {
    let count = rows.first().map_or(0, Vec::len) + 1;
    let with_one = |row: &[f64], index: usize| if index == 0 { 1.0 } else { row[index - 1] };
    let mut normal = vec![vec![0.0; 2 * count]; count];
    let mut right = vec![0.0; count];
    for (row, &result) in rows.iter().zip(results) {
        for i in 0..count {
            right[i] += with_one(row, i) * result;
            for (j, sum) in normal[i].iter_mut().take(count).enumerate() {
                *sum += with_one(row, i) * with_one(row, j);
            }
        }
    }
    for (i, row) in normal.iter_mut().enumerate() {
        // A little of a ridge: what never changes gets no slope.
        row[i] += 1e-6 * (1.0 + row[i]);
        row[count + i] = 1.0;
    }
    let Some(inverse) = inverted(normal) else { return vec![Slope::default(); count - 1] };
    let solution: Vec<f64> =
        inverse.iter().map(|row| row.iter().zip(&right).map(|(cell, right)| cell * right).sum()).collect();
    let error = |(row, &result): (&Vec<f64>, &f64)| {
        let predicted: f64 = (0..count).map(|i| with_one(row, i) * solution[i]).sum();
        (result - predicted) * (result - predicted)
    };
    let squares: f64 = rows.iter().zip(results).map(error).sum();
    let variance = squares / (rows.len().saturating_sub(count)).max(1) as f64;
    let certain = |i: usize| {
        let spread = (variance * inverse[i][i]).sqrt();
        if spread > 0.0 { solution[i] / spread } else { 0.0 }
    };
    (1..count).map(|i| Slope { slope: solution[i], certainty: certain(i) }).collect()
}

/// The right half of a matrix whose left half is made the unit matrix (Gauss and Jordan).
fn inverted(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let count = matrix.len();
    for column in 0..count {
        let pivot = (column..count).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        matrix.swap(column, pivot);
        let head = matrix[column][column];
        if head.abs() < 1e-12 {
            return None;
        }
        matrix[column].iter_mut().for_each(|cell| *cell /= head);
        let row = matrix[column].clone();
        for (other, cells) in matrix.iter_mut().enumerate().filter(|(other, _)| *other != column) {
            let factor = cells[column];
            debug_assert!(other < count);
            cells.iter_mut().zip(&row).for_each(|(cell, &own)| *cell -= factor * own);
        }
    }
    Some(matrix.into_iter().map(|row| row[count..].to_vec()).collect())
}

/// Weights of many features, most of which are 0 in each observation: ridge regression, one weight after the other.
pub(super) fn weights(rows: &[Vec<(u32, f64)>], results: &[f64], features: usize, ridge: f64) -> Vec<f64> {
    const ROUNDS: usize = 12;
    let mut by_feature: Vec<Vec<(u32, f64)>> = vec![Vec::new(); features];
    for (index, row) in rows.iter().enumerate() {
        for &(feature, value) in row {
            by_feature[feature as usize].push((index as u32, value));
        }
    }
    let mean = results.iter().sum::<f64>() / results.len().max(1) as f64;
    let mut rest: Vec<f64> = results.iter().map(|result| result - mean).collect();
    let mut weights = vec![0.0; features];
    for _ in 0..ROUNDS {
        for (weight, column) in weights.iter_mut().zip(&by_feature).filter(|(_, column)| !column.is_empty()) {
            let square: f64 = column.iter().map(|(_, value)| value * value).sum();
            let product: f64 = column.iter().map(|&(row, value)| value * rest[row as usize]).sum();
            let new = (product + square * *weight) / (square + ridge);
            let change = new - *weight;
            column.iter().for_each(|&(row, value)| rest[row as usize] -= change * value);
            *weight = new;
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_found_and_noise_is_not_certain() {
        // The result is 2 a - b; c is neither.
        let rows: Vec<Vec<f64>> =
            (0..200).map(|i| vec![f64::from(i % 7), f64::from(i % 11), f64::from(i * i % 13)]).collect();
        let wobble = |i: usize| if i.is_multiple_of(2) { 0.1 } else { -0.1 };
        let results: Vec<f64> = rows.iter().enumerate().map(|(i, row)| 2.0 * row[0] - row[1] + wobble(i)).collect();
        let found = slopes(&rows, &results);
        assert!((found[0].slope - 2.0).abs() < 0.01 && found[0].certainty > 100.0, "{found:?}");
        assert!((found[1].slope + 1.0).abs() < 0.01 && found[1].certainty < -100.0, "{found:?}");
        assert!(found[2].slope.abs() < 0.01 && found[2].certainty.abs() < 4.0, "{found:?}");
    }

    #[test]
    fn what_never_changes_has_no_slope() {
        let rows = vec![vec![5.0]; 20];
        let results: Vec<f64> = (0..20).map(|i| f64::from(i % 2)).collect();
        assert!(slopes(&rows, &results)[0].certainty.abs() < 1.0);
        assert!(slopes(&[], &[]).is_empty());
    }

    #[test]
    fn weights_are_shrunk_a_little() {
        let rows: Vec<Vec<(u32, f64)>> = (0..300).map(|i| vec![(i % 3, 1.0)]).collect();
        let results: Vec<f64> = (0..300).map(|i| [1.0, 0.0, -1.0][i % 3]).collect();
        let found = weights(&rows, &results, 4, 10.0);
        assert!((found[0] - 100.0 / 110.0).abs() < 0.01 && found[1].abs() < 0.01 && found[3] == 0.0, "{found:?}");
    }
}
