//! A scene as SVG: the same text for the same scene, without fonts, scripts or anything from elsewhere.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::geometry::{Bounds, Point, rounded};
use crate::glyphs::{BASE, breadth, glyph, laid_out};
use crate::paint::luminance;
use crate::path::Path;
use crate::scene::{Decor, Item, Layer, Mark, Outline, Scene, SiteLook, Tray};

/// Which colours are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    #[default]
    Light,
    /// Light on dark.
    Dark,
}

/// How a scene is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The colours.
    pub theme: Theme,
    /// The longer side, in pixels.
    pub size: u32,
}

impl Default for Picture {
    fn default() -> Self {
        Self { theme: Theme::Light, size: 640 }
    }
}

/// A scene as SVG.
pub fn svg(scene: &Scene, picture: &Picture) -> String {
    let [left, top, width, height] = scene.bounds;
    let scale = f64::from(picture.size) / width.max(height).max(1e-6);
    let mut writer = Writer { scene, theme: picture.theme, text: String::new(), letters: BTreeSet::new() };
    writer.body();
    let Writer { text: body, letters, .. } = writer;
    let mut text = String::new();
    // Writing to a text cannot fail.
    let _ = writeln!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"{left} {top} {width} {height}\" role=\"img\" aria-labelledby=\"title desc\">",
        (width * scale).round().max(1.0),
        (height * scale).round().max(1.0)
    );
    let _ = writeln!(text, "<title id=\"title\">{}</title>", escaped(&scene.title));
    let _ = writeln!(text, "<desc id=\"desc\">{}</desc>", escaped(&scene.spoken));
    text += "<defs>\n";
    for letter in letters {
        if let Some(glyph) = glyph(letter) {
            let _ = writeln!(text, "<path id=\"c{:x}\" d=\"{}\"/>", u32::from(letter), glyph.path);
        }
    }
    text += "</defs>\n";
    text += &body;
    text += "</svg>\n";
    text
}

/// A line of text as SVG: a caption for a picture. Its longer side is its breadth.
pub fn lettering(text: &str, picture: &Picture) -> String {
    let paints = crate::paint::of_board();
    let width = rounded(breadth(text) + 0.4);
    let decor = Decor::Text { at: Point::default(), text: text.to_owned(), size: 1.0, paint: "text".to_owned() };
    let scene = Scene {
        title: text.to_owned(),
        spoken: text.to_owned(),
        bounds: [-width / 2.0, -0.7, width, 1.4].map(rounded),
        decor: vec![decor],
        paints,
        ..Scene::default()
    };
    svg(&scene, picture)
}

struct Writer<'a> {
    scene: &'a Scene,
    theme: Theme,
    text: String,
    /// The characters that were used.
    letters: BTreeSet<char>,
}

impl Writer<'_> {
    /// The colour of a paint.
    fn colour(&self, paint: &str) -> String {
        match self.scene.paints.get(paint) {
            Some(colours) => colours[usize::from(self.theme == Theme::Dark)].clone(),
            None => escaped(paint),
        }
    }

    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn body(&mut self) {
        let scene = self.scene;
        let [left, top, width, height] = scene.bounds;
        let page = self.colour("page");
        self.line(&format!("<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"{page}\"/>"));
        let (texts, under): (Vec<&Decor>, Vec<&Decor>) =
            scene.decor.iter().partition(|decor| matches!(decor, Decor::Text { .. }));
        // Cells lie on planks, and lines and signs on cells.
        let (planks, signs) = under.split_at(under.len().min(scene.planks));
        self.group("board", |writer| planks.iter().for_each(|decor| writer.decor(decor)));
        self.group("sites", |writer| scene.sites.iter().for_each(|site| writer.site(site)));
        self.group("signs", |writer| {
            signs.iter().for_each(|decor| writer.decor(decor));
            texts.iter().for_each(|decor| writer.decor(decor));
        });
        self.group("last", |writer| scene.marks.iter().for_each(|mark| writer.mark_below(mark)));
        self.group("items", |writer| {
            let mut items: Vec<&Item> = scene.items.iter().collect();
            items.sort_by(|a, b| a.at[2].total_cmp(&b.at[2]));
            items.into_iter().for_each(|item| writer.item(item));
            for heap in &scene.heaps {
                if let Some(at) = heap.at {
                    writer.badge(at, &heap.count.to_string());
                }
            }
        });
        self.group("trays", |writer| scene.trays.iter().for_each(|tray| writer.tray(tray)));
        self.group("marks", |writer| scene.marks.iter().for_each(|mark| writer.mark_above(mark)));
    }

    fn group(&mut self, class: &str, inside: impl FnOnce(&mut Self)) {
        let before = self.text.len();
        self.line(&format!("<g class=\"{class}\">"));
        let opened = self.text.len();
        inside(self);
        if self.text.len() == opened {
            self.text.truncate(before);
        } else {
            self.line("</g>");
        }
    }

    fn decor(&mut self, decor: &Decor) {
        match decor {
            Decor::Fill { path, paint } => {
                let line = format!("<path d=\"{path}\" fill=\"{}\"/>", self.colour(paint));
                self.line(&line);
            }
            Decor::Line { path, paint, width } => {
                let line = format!(
                    "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" stroke-linecap=\"round\"/>",
                    self.colour(paint)
                );
                self.line(&line);
            }
            Decor::Text { at, text, size, paint } => {
                let colour = self.colour(paint);
                self.words(*at - Point::new(breadth(text) * size / 2.0, 0.0), text, *size, &colour);
            }
        }
    }

    /// A text from its left end on, with capitals around the height of that point.
    fn words(&mut self, at: Point, text: &str, size: f64, colour: &str) {
        let mut line = format!("<g fill=\"{colour}\" aria-label=\"{}\">", escaped(text));
        for (along, letter) in laid_out(text) {
            if letter != ' ' {
                self.letters.insert(letter);
                let (x, y) = (rounded(at.x + along * size), rounded(at.y + BASE * size));
                let _ = write!(
                    line,
                    "<use href=\"#c{:x}\" transform=\"translate({x} {y}) scale({})\"/>",
                    u32::from(letter),
                    rounded(size)
                );
            }
        }
        line += "</g>";
        self.line(&line);
    }

    fn shape(&self, site: &SiteLook) -> Path {
        match &site.outline {
            Outline::Polygon(corners) => Path::polygon(corners.iter().copied()),
            Outline::Circle(radius) => Path::circle(Point::new(site.at[0], site.at[1]), *radius),
        }
    }

    fn site(&mut self, site: &SiteLook) {
        let Some(paint) = &site.paint else { return };
        let line = format!(
            "<path d=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"0.02\"><title>{}</title></path>",
            self.shape(site),
            self.colour(paint),
            self.colour("line"),
            escaped(&site.spoken)
        );
        self.line(&line);
    }

    fn layer(&self, layer: &Layer) -> String {
        let fill = layer.fill.as_ref().map_or("none".to_owned(), |paint| self.colour(paint));
        let stroke = layer.stroke.as_ref().map_or(String::new(), |paint| {
            format!(" stroke=\"{}\" stroke-width=\"{}\"", self.colour(paint), rounded(layer.width))
        });
        format!("<path d=\"{}\" fill=\"{fill}\"{stroke}/>", layer.path)
    }

    fn item(&mut self, item: &Item) {
        let Some(look) = self.scene.looks.get(item.look) else { return };
        let turn =
            if item.quarters == 0 { String::new() } else { format!(" rotate({})", u32::from(item.quarters) * 90) };
        let mut line = format!("<g transform=\"translate({} {}){turn} scale({})\">", item.at[0], item.at[1], item.size);
        let _ = write!(line, "<title>{}</title>", escaped(&look.spoken));
        for layer in &look.layers {
            line += &self.layer(layer);
        }
        line += "</g>";
        self.line(&line);
    }

    /// A number on a small plate.
    fn badge(&mut self, at: Point, text: &str) {
        const SIZE: f64 = 0.26;
        let width = breadth(text) * SIZE;
        let half = Point::new(width / 2.0 + 0.07, 0.14);
        let plate = Path::rounded(at, half, 0.12);
        let (page, ink) = (self.colour("die"), self.colour("die-edge"));
        let line = format!("<path d=\"{plate}\" fill=\"{page}\" stroke=\"{ink}\" stroke-width=\"0.015\"/>");
        self.line(&line);
        self.words(at - Point::new(width / 2.0, 0.0), text, SIZE, &ink);
    }

    fn tray(&mut self, tray: &Tray) {
        let [x, y, width, height] = tray.bounds;
        let half = Point::new(width, height) * 0.5;
        let path = Path::rounded(Point::new(x, y) + half, half, 0.12);
        let (fill, text) = (self.colour("board"), self.colour("line"));
        let line = format!(
            "<path d=\"{path}\" fill=\"{fill}\" fill-opacity=\"0.6\"><title>{}</title></path>",
            escaped(&tray.spoken)
        );
        self.line(&line);
        tray.items.iter().for_each(|item| self.item(item));
        let ink = if luminance(&fill) > 0.2 { text } else { self.colour("text") };
        for words in &tray.texts {
            self.words(words.at, &words.text, words.size, &ink);
        }
    }

    fn mark_below(&mut self, mark: &Mark) {
        let (site, paint, opacity) = match mark {
            Mark::Last(site) => (site, "mark", 0.45),
            Mark::Selected(site) => (site, "target", 0.45),
            Mark::Unseen(site) => (site, "fog", 0.75),
            Mark::Arrow { .. } | Mark::Target(_) => return,
        };
        if let Some(site) = self.scene.sites.get(*site) {
            let line = format!(
                "<path d=\"{}\" fill=\"{}\" fill-opacity=\"{opacity}\"/>",
                self.shape(site),
                self.colour(paint)
            );
            self.line(&line);
        }
    }

    fn mark_above(&mut self, mark: &Mark) {
        let place = |site: &usize| self.scene.sites.get(*site).map(|site| Point::new(site.at[0], site.at[1]));
        match mark {
            Mark::Target(site) => {
                let Some(at) = place(site) else { return };
                let line = format!(
                    "<path d=\"{}\" fill=\"{}\" fill-opacity=\"0.8\"/>",
                    Path::circle(at, 0.14),
                    self.colour("target")
                );
                self.line(&line);
            }
            Mark::Arrow { from, to } => {
                let (Some(from), Some(to)) = (place(from), place(to)) else { return };
                let way = (to - from) * (1.0 / (to - from).length().max(1e-6));
                let side = Point::new(way.y, -way.x);
                let (tip, neck) = (to - way * 0.1, to - way * 0.4);
                let path = Path::line([from, neck]).and(Path::polygon([tip, neck + side * 0.14, neck - side * 0.14]));
                let colour = self.colour("mark");
                let line = format!(
                    "<path d=\"{path}\" fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"0.07\" stroke-linejoin=\"round\" opacity=\"0.8\"/>"
                );
                self.line(&line);
            }
            Mark::Last(_) | Mark::Selected(_) | Mark::Unseen(_) => {}
        }
    }
}

/// Two opposite corners of what is drawn.
pub(crate) fn extent(decor: &Decor) -> Vec<Point> {
    let bounds = match decor {
        Decor::Fill { path, .. } | Decor::Line { path, .. } => Path::parse(path).bounds(),
        Decor::Text { at, text, size, .. } => {
            let half = Point::new(breadth(text) * size / 2.0, size * 0.4);
            Some(Bounds { least: *at - half, most: *at + half })
        }
    };
    bounds.map_or_else(Vec::new, |bounds| vec![bounds.least, bounds.most])
}

/// A text as it may stand in XML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            // XML 1.0 has no other way to say these.
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_xml_cannot_say_is_left_out() {
        assert_eq!(super::escaped("a<b & \"c\"\u{1}\n"), "a&lt;b &amp; &quot;c&quot;  ");
    }
}
