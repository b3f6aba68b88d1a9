//! The rectangle of sites that a text describes.

use std::collections::BTreeMap;

use dagaz_base::Id;
use dagaz_board::{Site, Topology};

/// A rectangle of sites, row by row from the top. Sites beside it are not the text's business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    rows: Vec<Vec<Site>>,
    /// Row and column of each site of the board.
    places: Vec<Option<(usize, usize)>>,
}

impl Grid {
    /// The rectangle of a board: by names of letters and a number, where the highest number is the top row; else as
    /// the sites are drawn.
    pub fn of(topology: &Topology) -> Option<Self> {
        let named = topology.sites().filter_map(|site| {
            let (file, rank) = file_and_rank(topology.site_name(site))?;
            // A longer file name comes after all shorter ones: z, aa, ab.
            Some(((file.len(), file.to_owned()), std::cmp::Reverse(rank), site))
        });
        let drawn = topology.sites().filter_map(|site| {
            let area = topology.area(site)?;
            Some((area.left, area.top, site))
        });
        let rows = rectangle(named).or_else(|| rectangle(drawn))?;
        let mut places = vec![None; topology.site_count()];
        for (row, sites) in rows.iter().enumerate() {
            for (column, site) in sites.iter().enumerate() {
                places[site.index()] = Some((row, column));
            }
        }
        Some(Self { rows, places })
    }

    /// The rows from the top, each from the left; all of one length.
    pub fn rows(&self) -> &[Vec<Site>] {
        &self.rows
    }

    /// Row and column of a site, from 0, when it is in the rectangle.
    pub fn place(&self, site: Site) -> Option<(usize, usize)> {
        self.places[site.index()]
    }

    /// The site so many rows below another; above it, when the number is negative.
    pub fn below(&self, site: Site, rows: isize) -> Option<Site> {
        let (row, column) = self.place(site)?;
        self.rows.get(row.checked_add_signed(rows)?).map(|row| row[column])
    }
}

/// The parts of a name that is letters and a number.
pub(super) fn file_and_rank(name: &str) -> Option<(&str, u32)> {
    let (file, rank) = name.split_at(name.find(|letter: char| letter.is_ascii_digit())?);
    let letters = !file.is_empty() && file.chars().all(char::is_alphabetic);
    Some((file, rank.parse().ok()?)).filter(|_| letters)
}

/// The rectangle of the columns and rows that have most sites, when it has no hole and at least two of each.
fn rectangle<C: Ord, R: Ord>(sites: impl Iterator<Item = (C, R, Site)>) -> Option<Vec<Vec<Site>>> {
    let mut rows = BTreeMap::<R, BTreeMap<usize, Site>>::new();
    let all: Vec<(C, R, Site)> = sites.collect();
    let mut columns = BTreeMap::<&C, usize>::new();
    for (column, _, _) in &all {
        *columns.entry(column).or_default() += 1;
    }
    let most = columns.values().copied().max()?;
    let full: Vec<&C> = columns.iter().filter(|(_, count)| **count == most).map(|(column, _)| *column).collect();
    let number: Vec<Option<usize>> = all.iter().map(|(column, _, _)| full.binary_search(&column).ok()).collect();
    let width = full.len();
    for ((_, row, site), column) in all.into_iter().zip(number) {
        let Some(column) = column else { continue };
        if rows.entry(row).or_default().insert(column, site).is_some() {
            return None;
        }
    }
    let complete = width >= 2 && rows.len() >= 2 && rows.values().all(|row| row.len() == width);
    complete.then(|| rows.into_values().map(|row| row.into_values().collect()).collect())
}
