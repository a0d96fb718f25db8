//! Shows how a search gets on: a bar on a terminal, a line now and then elsewhere, nothing where none is wanted.

use std::time::Duration;

use gridwright_core::planning::ProgressReport;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::text;

/// Seconds between lines where there is no terminal.
const LINE_INTERVAL: f64 = 5.0;

/// Seconds between redraws of the bar.
const BAR_INTERVAL: f64 = 0.1;

/// Ticks of a full bar.
const LENGTH: u64 = 1000;

pub(crate) struct Display {
    kind: Kind,
    noun: &'static str,
    shown_at: f64,
}

enum Kind {
    Nothing,
    Lines,
    Bar(ProgressBar),
}

impl Display {
    /// A display on the standard error if `wanted`; `noun` is the name of a generation or step.
    pub(crate) fn new(wanted: bool, noun: &'static str) -> Self {
        let kind = if !wanted {
            Kind::Nothing
        } else if std::io::IsTerminal::is_terminal(&std::io::stderr()) {
            Kind::Bar(bar())
        } else {
            Kind::Lines
        };
        Self { kind, noun, shown_at: 0.0 }
    }

    /// Shows the progress of the search, if the last update is long enough ago.
    pub(crate) fn show(&mut self, pulse: &ProgressReport<'_>) {
        let interval = match self.kind {
            Kind::Nothing => return,
            Kind::Lines => LINE_INTERVAL,
            Kind::Bar(_) => BAR_INTERVAL,
        };
        if pulse.seconds < self.shown_at + interval && pulse.share < 1.0 {
            return;
        }
        self.shown_at = pulse.seconds;
        let line = line(pulse, self.noun);
        match &self.kind {
            Kind::Nothing => {}
            Kind::Lines => text::note(&format!("{:>3.0} %  {line}", pulse.share.min(1.0) * 100.0)),
            Kind::Bar(bar) => {
                bar.set_position((pulse.share * LENGTH as f64) as u64);
                bar.set_message(text::visible(&line).into_owned());
            }
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(self) {
        if let Kind::Bar(bar) = self.kind {
            bar.finish_and_clear();
        }
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(LENGTH), ProgressDrawTarget::stderr());
    // The template is a constant; a plain bar is shown should it ever not parse.
    if let Ok(style) = ProgressStyle::with_template("{bar:16.cyan/dim} {percent:>3} %  {wide_msg}") {
        bar.set_style(style.progress_chars("━╸─"));
    }
    bar.set_message("preparing");
    // Redraws during preparation, too, so that the program does not seem to hang.
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// «best 10.0337 · 12 s left · 4.1 M steps · 12.3 M evaluations/s»: what matters most comes first, narrow terminals
/// cut the end.
fn line(pulse: &ProgressReport<'_>, noun: &str) -> String {
    let mut parts = vec![format!("best {}", (pulse.best)())];
    if pulse.share > 0.0 && pulse.share < 1.0 {
        let left = pulse.seconds / pulse.share * (1.0 - pulse.share);
        parts.push(format!("{} left", text::duration(left)));
    }
    parts.push(format!("{} {noun}", text::compact(pulse.step as f64)));
    parts.push(format!("{} evaluations/s", text::compact(pulse.evaluations as f64 / pulse.seconds.max(1e-3))));
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_best_rate_and_time_left() {
        let pulse = ProgressReport {
            seconds: 5.0,
            share: 0.25,
            step: 200,
            evaluations: 1_000_000,
            cost: 10.5,
            best: &|| "10.5".to_owned(),
        };
        assert_eq!(line(&pulse, "steps"), "best 10.5 · 15 s left · 200 steps · 200 k evaluations/s");
    }
}
