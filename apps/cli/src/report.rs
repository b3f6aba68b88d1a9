//! What many plays say of a game, as a text, as JSON, or as a page with plots that needs nothing else.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use dagaz_arena::Quality;
use plotters::prelude::*;
use serde_json::{Map, Value, json};

use crate::files;

/// A format of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Html,
    Json,
    Text,
}

impl Format {
    /// The format that a file's ending says.
    pub(crate) fn of(path: &Path) -> anyhow::Result<Self> {
        match path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase).as_deref() {
            Some("html" | "htm") => Ok(Self::Html),
            Some("json") => Ok(Self::Json),
            Some("txt" | "text") => Ok(Self::Text),
            _ => bail!("`{}` is in no known format of reports; there are `.html`, `.json` and `.txt`", path.display()),
        }
    }
}

/// What was played.
pub(crate) struct Subject<'a> {
    pub(crate) game: &'a str,
    pub(crate) variant: Option<&'a str>,
    pub(crate) agents: Vec<String>,
    pub(crate) games: u64,
    pub(crate) seed: u64,
}

/// Writes a report to a file, in the format that its ending says.
pub(crate) fn write(path: &Path, subject: &Subject<'_>, quality: &Quality) -> anyhow::Result<()> {
    let text = match Format::of(path)? {
        Format::Html => html(subject, quality)?,
        Format::Json => format!("{:#}\n", value(subject, quality)),
        Format::Text => text(subject, quality),
    };
    files::write(path, text.as_bytes())
}

impl Subject<'_> {
    fn title(&self) -> String {
        self.variant.map_or_else(|| self.game.to_owned(), |variant| format!("{}, {variant}", self.game))
    }

    fn conditions(&self) -> String {
        format!("{} games of {}, seed {}", self.games, self.agents.join(" against "), self.seed)
    }
}

fn text(subject: &Subject<'_>, quality: &Quality) -> String {
    let mut text = format!("{}: {}\n\n", subject.title(), subject.conditions());
    for measure in &quality.measures {
        let _ = writeln!(
            text,
            "{:34} {:>9}  {:20} {}",
            measure.name,
            number(measure.value),
            interval(measure.interval),
            measure.meaning
        );
    }
    text
}

fn value(subject: &Subject<'_>, quality: &Quality) -> Value {
    let measures: Map<String, Value> = quality
        .measures
        .iter()
        .map(|measure| {
            let interval = measure.interval.map(|(low, high)| json!([low, high]));
            (
                measure.key.to_owned(),
                json!({ "value": measure.value, "interval": interval, "meaning": measure.meaning }),
            )
        })
        .collect();
    let (least, width, counts) = &quality.lengths;
    json!({
        "game": subject.game,
        "variant": subject.variant,
        "agents": subject.agents,
        "games": subject.games,
        "seed": subject.seed,
        "measures": measures,
        "lengths": { "least": least, "class": width, "counts": counts },
        "choices": quality.choices,
        "certainty": quality.certainty,
    })
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
    table{border-collapse:collapse}th,td{text-align:left;padding:.3rem .8rem;border-bottom:1px solid #ddd;vertical-align:top}\
    td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}td.m{color:#555;font-size:.9em}\
    svg{max-width:100%;height:auto}";

fn html(subject: &Subject<'_>, quality: &Quality) -> anyhow::Result<String> {
    let title = escaped(&subject.title());
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n<p>{}</p>\n<table>\n\
         <tr><th>Measure<th>Value<th>95 % interval<th>What it is</tr>\n",
        escaped(&subject.conditions())
    );
    for measure in &quality.measures {
        let (name, value, interval) = (escaped(measure.name), number(measure.value), interval(measure.interval));
        let _ = writeln!(
            page,
            "<tr><td>{name}<td class=n>{value}<td class=n>{interval}<td class=m>{}</tr>",
            escaped(measure.meaning)
        );
    }
    page += "</table>\n";
    let (least, width, counts) = &quality.lengths;
    if !counts.is_empty() {
        page += "<h2>Length of a play</h2>\n";
        let bars = counts.iter().enumerate().map(|(index, &count)| ((least + index * width) as f64, count as f64));
        page += &plot(&bars.collect::<Vec<_>>(), *width as f64, "whole moves", "plays")?;
    }
    for (heading, label, profile) in [
        ("Choices over a play", "legal steps", &quality.choices),
        ("How decided a play is", "certainty of the lead", &quality.certainty),
    ] {
        let parts = profile.len().max(1) as f64;
        let bars: Vec<(f64, f64)> =
            profile.iter().enumerate().filter_map(|(index, value)| Some((index as f64 / parts, (*value)?))).collect();
        if !bars.is_empty() {
            let _ = writeln!(page, "<h2>{heading}</h2>");
            page += &plot(&bars, 1.0 / parts, "part of a play", label)?;
        }
    }
    page += "<p class=m>Definitions: Browne, <i>Automatic Generation and Evaluation of Recombination Games</i>, 2008, unless another \
             source is given.</p>\n</html>\n";
    Ok(page)
}

/// Bars of one width, each with the place where it begins and its height, as SVG.
fn plot(bars: &[(f64, f64)], width: f64, across: &str, up: &str) -> anyhow::Result<String> {
    let (least, most) =
        bars.iter().fold((f64::MAX, f64::MIN), |(low, high), bar| (low.min(bar.0), high.max(bar.0 + width)));
    let height = bars.iter().map(|bar| bar.1).fold(0.0, f64::max) * 1.05;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (760, 300)).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin(8)
            .x_label_area_size(40)
            .y_label_area_size(56)
            .build_cartesian_2d(least..most, 0.0..height.max(1e-9))
            .context("the plot has no room")?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc(across)
            .y_desc(up)
            .draw()
            .context("the axes")?;
        let shown = |&(left, height): &(f64, f64)| {
            Rectangle::new([(left, 0.0), (left + width * 0.92, height)], RGBColor(70, 110, 160).filled())
        };
        chart.draw_series(bars.iter().map(shown)).context("the bars")?;
        area.present().context("the plot")?;
    }
    Ok(svg + "\n")
}

fn number(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(value) if value.abs() >= 100.0 => format!("{value:.1}"),
        Some(value) if value.abs() >= 10.0 => format!("{value:.2}"),
        Some(value) => format!("{value:.3}"),
    }
}

fn interval(interval: Option<(f64, f64)>) -> String {
    interval.map_or_else(String::new, |(low, high)| format!("{} … {}", number(Some(low)), number(Some(high))))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
