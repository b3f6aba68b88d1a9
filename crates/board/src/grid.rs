//! Regular boards of any number of dimensions.

use crate::topology::Area;

/// A regular block of sites: the product of its dimensions' labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The labels along each dimension, in order.
    pub labels: Vec<Vec<String>>,
    /// Where the first site is drawn, and how far in pixels the picture moves with a step along each dimension.
    pub picture: Option<(Area, Vec<(i32, i32)>)>,
}

/// Why a grid cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridError {
    /// It would have more than the number of sites that a board can hold.
    TooLarge {
        /// The limit it passed.
        limit: usize,
    },
}

impl Grid {
    /// How many sites the grid has, when that is no more than `limit`.
    pub fn site_count(&self, limit: usize) -> Result<usize, GridError> {
        let mut count = 1_usize;
        for labels in &self.labels {
            count = count.saturating_mul(labels.len());
        }
        if count > limit { Err(GridError::TooLarge { limit }) } else { Ok(count) }
    }

    /// The coordinates of all sites; the first dimension runs slowest.
    pub fn coordinates(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        let count = if self.labels.is_empty() { 0 } else { self.labels.iter().map(Vec::len).product() };
        (0..count).map(move |mut rest| {
            let mut at = vec![0; self.labels.len()];
            for (coordinate, labels) in at.iter_mut().zip(&self.labels).rev() {
                *coordinate = rest % labels.len();
                rest /= labels.len();
            }
            at
        })
    }

    /// The name of a site: its labels one after the other.
    pub fn name(&self, at: &[usize]) -> String {
        self.labels.iter().zip(at).map(|(labels, &index)| labels[index].as_str()).collect()
    }

    /// Where a site is drawn.
    pub fn area(&self, at: &[usize]) -> Option<Area> {
        let (first, steps) = self.picture.as_ref()?;
        let moved = |pick: fn(&(i32, i32)) -> i32| {
            at.iter().zip(steps).fold(0_i32, |sum, (&index, step)| {
                sum.saturating_add(pick(step).saturating_mul(i32::try_from(index).unwrap_or(i32::MAX)))
            })
        };
        let (dx, dy) = (moved(|step| step.0), moved(|step| step.1));
        Some(Area {
            left: first.left.saturating_add(dx),
            top: first.top.saturating_add(dy),
            right: first.right.saturating_add(dx),
            bottom: first.bottom.saturating_add(dy),
        })
    }

    /// The coordinates `vector` away from `at`, when they are on the grid. Missing numbers of the vector are 0.
    pub fn shifted(&self, at: &[usize], vector: &[i64]) -> Option<Vec<usize>> {
        at.iter()
            .zip(&self.labels)
            .enumerate()
            .map(|(dimension, (&index, labels))| {
                let delta = vector.get(dimension).copied().unwrap_or(0);
                let moved = usize::try_from((index as i64).checked_add(delta)?).ok()?;
                (moved < labels.len()).then_some(moved)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(sizes: &[usize]) -> Grid {
        Grid { labels: sizes.iter().map(|&n| (0..n).map(|i| i.to_string()).collect()).collect(), picture: None }
    }

    #[test]
    fn a_grid_of_three_dimensions_names_its_sites_in_order() {
        let grid = grid(&[2, 2, 3]);
        let names: Vec<_> = grid.coordinates().map(|at| grid.name(&at)).collect();
        assert_eq!(names.len(), 12);
        assert_eq!(names[..4], ["000", "001", "002", "010"]);
        assert_eq!(grid.shifted(&[0, 1, 2], &[1, 0]), Some(vec![1, 1, 2]));
        assert_eq!(grid.shifted(&[0, 1, 2], &[0, 0, 1]), None);
    }

    #[test]
    fn an_absurd_grid_is_refused_before_it_is_built() {
        assert_eq!(grid(&[1000, 1000, 1000]).site_count(65_534), Err(GridError::TooLarge { limit: 65_534 }));
    }
}
