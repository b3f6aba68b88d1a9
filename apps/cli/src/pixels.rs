//! Pictures as pixels: SVG to PNG, and many of them on one sheet.

use anyhow::Context as _;
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// A picture as PNG, in its own size.
pub(crate) fn png(svg: &str) -> anyhow::Result<Vec<u8>> {
    let tree = read(svg)?;
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height()).context("the picture is too large")?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    Ok(pixels.encode_png()?)
}

fn read(svg: &str) -> anyhow::Result<Tree> {
    Tree::from_str(svg, &Options::default()).context("the picture is no SVG")
}

/// Pictures in rows, each with a caption.
pub(crate) struct Sheet {
    pixels: Pixmap,
    side: u32,
    next: u32,
}

/// How many pictures a row has.
const COLUMNS: u32 = 9;
/// How high captions are.
const CAPTION: u32 = 16;
/// What is left between pictures.
const GAP: u32 = 8;

impl Sheet {
    /// Room for so many pictures, each no larger than a square of this side.
    pub(crate) fn new(count: usize, side: u32) -> anyhow::Result<Self> {
        let rows = u32::try_from(count)?.div_ceil(COLUMNS).max(1);
        let (width, height) = (COLUMNS * (side + GAP) + GAP, rows * (side + CAPTION + GAP) + GAP);
        let mut pixels = Pixmap::new(width, height).context("the sheet is too large")?;
        pixels.fill(Color::WHITE);
        Ok(Self { pixels, side, next: 0 })
    }

    /// Puts a picture on the next place, in its middle, with a caption below.
    pub(crate) fn add(&mut self, svg: &str, caption: &str) -> anyhow::Result<()> {
        let (column, row) = (self.next % COLUMNS, self.next / COLUMNS);
        self.next += 1;
        let left = (GAP + column * (self.side + GAP)) as f32;
        let top = (GAP + row * (self.side + CAPTION + GAP)) as f32;
        let side = self.side as f32;
        let tree = read(svg)?;
        let (width, height) = (tree.size().width(), tree.size().height());
        self.draw(&tree, left + (side - width) / 2.0, top + (side - height) / 2.0, 1.0);
        let caption = read(caption)?;
        let scale = CAPTION as f32 / caption.size().height();
        let width = caption.size().width() * scale;
        self.draw(&caption, left + (side - width) / 2.0, top + side, scale);
        Ok(())
    }

    fn draw(&mut self, tree: &Tree, left: f32, top: f32, scale: f32) {
        let place = Transform::from_scale(scale, scale).post_translate(left.round(), top.round());
        resvg::render(tree, place, &mut self.pixels.as_mut());
    }

    /// The sheet as PNG. Shades that nobody tells apart in small pictures are made one, which makes the file smaller.
    pub(crate) fn png(mut self) -> anyhow::Result<Vec<u8>> {
        const STEP: u8 = 5;
        for part in self.pixels.data_mut() {
            *part = (*part).saturating_add(STEP / 2) / STEP * STEP;
        }
        Ok(self.pixels.encode_png()?)
    }
}
