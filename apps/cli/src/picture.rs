//! Where the sites of a board stand in a text: found from their areas alone, so that any game is drawn.
//!
//! Coordinates that lie close together are one row or column; wide spaces between rows and columns stay; sites that lie
//! over each other come in layers, one under the other.

use std::collections::BTreeMap;

use dagaz_board::{Area, Site, Topology};

/// Where the sites stand in a text: column and row, from 0.
pub(crate) struct Picture {
    /// Rows of sites. Where sites lie over each other, as in boards of more dimensions, each goes to a layer of its own.
    layers: Vec<Vec<Row>>,
    /// How far each column lies from the left, in units of which `unit_width` tells the characters.
    columns: Vec<usize>,
    /// The least distance between neighbours in a row, in those units.
    least_gap: usize,
    /// Sites that have no place in the picture, or whose place is taken.
    pub(crate) elsewhere: Vec<Site>,
}

struct Row {
    /// Empty lines before it.
    gap: usize,
    /// Sites by column.
    sites: BTreeMap<usize, Site>,
}

/// The area of a site, unless it is empty: authors write zeros for sites that are nowhere in the picture.
fn area(topology: &Topology, site: Site) -> Option<Area> {
    topology.area(site).filter(|area| area.left < area.right && area.top < area.bottom)
}

impl Row {
    fn new(gap: usize) -> Self {
        Self { gap, sites: BTreeMap::new() }
    }
}

/// Twice the centre of an area, so that it is a whole number.
fn centre(topology: &Topology, site: Site) -> Option<(i32, i32)> {
    let area = area(topology, site)?;
    Some((area.left.saturating_add(area.right), area.top.saturating_add(area.bottom)))
}

impl Picture {
    /// More rows or columns than this are no picture in a terminal.
    const MOST: usize = 120;
    /// More boards than this are not drawn one under the other.
    const MOST_LAYERS: usize = 16;
    /// Fewer sites than this are listed instead.
    const LEAST_LAYER: usize = 4;

    /// The places of a board's sites.
    pub(crate) fn of(topology: &Topology) -> Self {
        let placed: Vec<(Site, (i32, i32))> =
            topology.sites().filter_map(|site| Some((site, centre(topology, site)?))).collect();
        let tolerance = |pick: fn(&Area) -> i32| {
            let mut sizes: Vec<i32> =
                topology.sites().filter_map(|site| area(topology, site)).map(|a| pick(&a)).collect();
            sizes.sort_unstable();
            // A quarter of the usual size; centres are doubled.
            sizes.get(sizes.len() / 2).map_or(1, |size| (size / 2).max(1))
        };
        let columns = Lines::of(placed.iter().map(|&(_, (x, _))| x), tolerance(|a| a.right.saturating_sub(a.left)));
        let lines = Lines::of(placed.iter().map(|&(_, (_, y))| y), tolerance(|a| a.bottom.saturating_sub(a.top)));
        if columns.at.len() > Self::MOST || lines.at.len() > Self::MOST {
            return Self {
                layers: Vec::new(),
                columns: Vec::new(),
                least_gap: 1,
                elsewhere: topology.sites().collect(),
            };
        }
        let gaps = lines.gaps(1);
        let mut layers: Vec<Vec<Row>> = Vec::new();
        let mut elsewhere: Vec<Site> = topology.sites().filter(|&site| area(topology, site).is_none()).collect();
        for (site, (x, y)) in placed {
            let (column, row) = (columns.index(x), lines.index(y));
            let free = layers.iter().position(|rows| !rows[row].sites.contains_key(&column));
            let layer = free.unwrap_or(layers.len());
            if layer == layers.len() {
                layers.push(gaps.iter().map(|&gap| Row::new(gap)).collect());
            }
            layers[layer][row].sites.insert(column, site);
        }
        // A few sites that share a place are no layer; and a terminal is only so high.
        while layers.len() > 1 {
            let last = &layers[layers.len() - 1];
            let sites = last.iter().flat_map(|row| row.sites.values());
            if layers.len() <= Self::MOST_LAYERS && sites.clone().count() >= Self::LEAST_LAYER {
                break;
            }
            elsewhere.extend(sites);
            layers.pop();
        }
        elsewhere.sort_unstable();
        let positions: Vec<usize> = columns
            .gaps(3)
            .iter()
            .enumerate()
            .scan(0, |extra, (index, gap)| {
                *extra += gap;
                Some(index + *extra)
            })
            .collect();
        let neighbours = |row: &Row| {
            let at: Vec<usize> = row.sites.keys().map(|&column| positions[column]).collect();
            at.windows(2).map(|pair| pair[1] - pair[0]).min()
        };
        let least_gap = layers.iter().flatten().filter_map(neighbours).min().unwrap_or(1);
        Self { layers, columns: positions, least_gap, elsewhere }
    }

    /// Whether nothing is drawn: every site is elsewhere.
    pub(crate) fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// The picture, with what stands on each site.
    pub(crate) fn render(&self, topology: &Topology, cell: &impl Fn(Site) -> String) -> String {
        let layers = self.layers.iter().map(|rows| self.render_layer(rows, topology, cell));
        layers.collect::<Vec<_>>().join("\n")
    }

    fn render_layer(&self, rows: &[Row], topology: &Topology, cell: &impl Fn(Site) -> String) -> String {
        let widest = topology.sites().map(|site| cell(site).chars().count()).max().unwrap_or(1);
        let labels = Labels::of(self, rows, topology);
        let file_width = labels.files.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        let unit = (widest.max(file_width) + 1).div_ceil(self.least_gap);
        let margin = labels.left.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        let mut text = String::new();
        for (index, row) in rows.iter().enumerate() {
            text += &"\n".repeat(row.gap);
            let mut line = format!("{:>margin$} ", labels.left[index]);
            for (&column, &site) in &row.sites {
                pad_to(&mut line, margin + 1 + self.columns[column] * unit);
                line += &cell(site);
            }
            if !labels.right[index].is_empty() {
                line += &format!("  {}", labels.right[index]);
            }
            text += line.trim_end();
            text.push('\n');
        }
        if !labels.files.is_empty() {
            let mut line = String::new();
            for (column, label) in labels.files.iter().enumerate() {
                pad_to(&mut line, margin + 1 + self.columns[column] * unit);
                line += label;
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

fn pad_to(line: &mut String, width: usize) {
    let missing = width.saturating_sub(line.chars().count());
    line.extend(std::iter::repeat_n(' ', missing));
}

/// What is written beside the rows and under the columns.
struct Labels {
    left: Vec<String>,
    right: Vec<String>,
    files: Vec<String>,
}

impl Labels {
    /// Files and ranks where every name is one of both; else the names of a row's first and last site.
    fn of(picture: &Picture, drawn: &[Row], topology: &Topology) -> Self {
        let name = |site: Site| topology.site_name(site);
        let rows: Vec<Vec<&str>> =
            drawn.iter().map(|row| row.sites.values().map(|&site| name(site)).collect()).collect();
        let columns: Vec<Vec<&str>> = (0..picture.columns.len())
            .map(|column| drawn.iter().filter_map(|row| row.sites.get(&column)).map(|&site| name(site)).collect())
            .collect();
        let fits = |files: &[String], ranks: &[String], file_first: bool| {
            drawn.iter().enumerate().all(|(row, sites)| {
                sites.sites.iter().all(|(&column, &site)| {
                    let (file, rank) = (&files[column], &ranks[row]);
                    name(site) == if file_first { format!("{file}{rank}") } else { format!("{rank}{file}") }
                })
            })
        };
        if let Some(labels) = Self::of_one_line(&rows, &columns) {
            return labels;
        }
        let starts = |groups: &[Vec<&str>]| groups.iter().map(|names| common_start(names)).collect::<Vec<_>>();
        let ends = |groups: &[Vec<&str>]| groups.iter().map(|names| common_end(names)).collect::<Vec<_>>();
        for (files, ranks, file_first) in
            [(starts(&columns), ends(&rows), true), (ends(&columns), starts(&rows), false)]
        {
            if !files.is_empty() && fits(&files, &ranks, file_first) {
                return Self { right: vec![String::new(); ranks.len()], left: ranks, files };
            }
        }
        let first = |names: &Vec<&str>| names.first().copied().unwrap_or_default().to_owned();
        let last = |names: &Vec<&str>| if names.len() > 1 { names[names.len() - 1].to_owned() } else { String::new() };
        Self { left: rows.iter().map(first).collect(), right: rows.iter().map(last).collect(), files: Vec::new() }
    }
}

impl Labels {
    /// Where all sites stand in one row or in one column, what their names have in common is the label of that line.
    fn of_one_line(rows: &[Vec<&str>], columns: &[Vec<&str>]) -> Option<Self> {
        let (names, is_row) = match (rows, columns) {
            ([row], _) => (row, true),
            (_, [column]) => (column, false),
            _ => return None,
        };
        let (start, end) = (common_start(names), common_end(names));
        let cut = |name: &&str| -> Option<String> {
            let rest = if is_row { name.strip_suffix(end.as_str()) } else { name.strip_prefix(start.as_str()) };
            rest.filter(|rest| !rest.is_empty()).map(str::to_owned)
        };
        let others: Vec<String> = names.iter().map(cut).collect::<Option<_>>()?;
        let (left, files) = if is_row { (vec![end], others) } else { (others, vec![start]) };
        Some(Self { right: vec![String::new(); left.len()], left, files })
    }
}

fn common_start(names: &[&str]) -> String {
    let Some((first, rest)) = names.split_first() else { return String::new() };
    let shared = |(index, letter): &(usize, char)| rest.iter().all(|name| name.chars().nth(*index) == Some(*letter));
    first.chars().enumerate().take_while(shared).map(|(_, letter)| letter).collect()
}

fn common_end(names: &[&str]) -> String {
    let reversed: Vec<String> = names.iter().map(|name| name.chars().rev().collect()).collect();
    let reversed: Vec<&str> = reversed.iter().map(String::as_str).collect();
    common_start(&reversed).chars().rev().collect()
}

/// Coordinates that lie close together, taken for one line.
struct Lines {
    /// Where each line lies, ascending.
    at: Vec<i32>,
}

impl Lines {
    fn of(coordinates: impl Iterator<Item = i32>, tolerance: i32) -> Self {
        let mut sorted: Vec<i32> = coordinates.collect();
        sorted.sort_unstable();
        let mut at: Vec<i32> = Vec::new();
        for coordinate in sorted {
            if at.last().is_none_or(|&line| coordinate.saturating_sub(line) > tolerance) {
                at.push(coordinate);
            }
        }
        Self { at }
    }

    fn index(&self, coordinate: i32) -> usize {
        self.at.partition_point(|&line| line <= coordinate).saturating_sub(1)
    }

    /// Extra space before each line, where the distance is larger than usual: at most `most`.
    fn gaps(&self, most: usize) -> Vec<usize> {
        let mut distances: Vec<i32> = self.at.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect();
        let unsorted = distances.clone();
        distances.sort_unstable();
        let usual = distances.get(distances.len() / 2).copied().unwrap_or(1).max(1);
        let extra = |distance: i32| ((distance.saturating_add(usual / 2) / usual).max(1) as usize - 1).min(most);
        let first = (!self.at.is_empty()).then_some(0);
        first.into_iter().chain(unsorted.into_iter().map(extra)).collect()
    }
}
