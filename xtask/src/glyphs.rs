//! Takes the outlines of some characters from fonts: `assets/glyphs.txt`, from which boards are drawn without any font.
//!
//! A one-off: needed again only when a character is added. The fonts are those of `assets/LICENSES.toml`.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use ttf_parser::{Face, OutlineBuilder};

use crate::workspace;

#[derive(Args)]
pub(crate) struct Options {
    /// Fonts, each with the number of its face where a file has several: `NotoSerifCJK-Bold.ttc:0`. The first that has a character
    /// gives it
    #[arg(value_name = "FONT", required = true)]
    fonts: Vec<String>,
    /// A file whose characters are taken, spaces left out
    #[arg(long, value_name = "FILE")]
    characters: PathBuf,
}

/// Units of an em in the file.
const EM: f32 = 1000.0;

pub(crate) fn run(options: &Options) -> Result<()> {
    let wanted = std::fs::read_to_string(&options.characters).context("cannot read the characters")?;
    let mut wanted: Vec<char> = wanted.chars().filter(|letter| !letter.is_whitespace()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut files = Vec::new();
    for font in &options.fonts {
        let (path, face) = match font.rsplit_once(':') {
            Some((path, face)) => (path, face.parse().context("the face is a number")?),
            None => (font.as_str(), 0),
        };
        files.push((std::fs::read(path).with_context(|| format!("cannot read {path}"))?, face));
    }
    let mut faces = Vec::new();
    for (bytes, face) in &files {
        faces.push(Face::parse(bytes, *face)?);
    }
    let mut text = String::new();
    for letter in wanted {
        let found = faces.iter().find_map(|face| Some((face, face.glyph_index(letter)?)));
        let Some((face, glyph)) = found else { bail!("no font has `{letter}`") };
        let scale = EM / f32::from(face.units_per_em());
        let advance = f32::from(face.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
        let mut path = Path { scale, text: String::new() };
        face.outline_glyph(glyph, &mut path);
        writeln!(text, "{:04X} {} {}", u32::from(letter), advance.round(), path.text)?;
    }
    let target = workspace::root().join("assets/glyphs.txt");
    std::fs::write(&target, text).with_context(|| format!("cannot write {}", target.display()))
}

/// An outline in the words of SVG paths, y downward from the base line, in thousandths of an em.
struct Path {
    scale: f32,
    text: String,
}

impl Path {
    fn push(&mut self, command: char, points: &[(f32, f32)]) {
        self.text.push(command);
        for (index, (x, y)) in points.iter().enumerate() {
            let separator = if index == 0 { "" } else { " " };
            let (x, y) = ((x * self.scale).round() as i32, (-y * self.scale).round() as i32);
            // A sign separates as well as a space.
            let between = if y < 0 { "" } else { " " };
            let separator = if x < 0 { "" } else { separator };
            self.text += &format!("{separator}{x}{between}{y}");
        }
    }
}

impl OutlineBuilder for Path {
    fn move_to(&mut self, x: f32, y: f32) {
        self.push('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.push('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.push('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.push('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.text.push('Z');
    }
}
