//! Round tick values of axes, and their labels.

use crate::numbers::figure;

/// Smallest step of the form 1, 2 or 5 times a power of ten that is at least `least`.
pub fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.max(1e-9).log10().floor());
    [1.0, 2.0, 5.0].map(|factor| factor * power).into_iter().find(|&step| step >= least).unwrap_or(10.0 * power)
}

/// Label of a tick at `value` of ticks that are `step` apart, with as many decimals as tell them apart.
pub fn tick_text(value: f64, step: f64) -> String {
    const MOST_DECIMALS: f64 = 9.0;
    figure(value, (-step.log10() - 1e-9).ceil().clamp(0.0, MOST_DECIMALS) as usize)
}

/// Integer ticks in `from..=to`: multiples of the smallest round integer step that is at least `least`.
pub fn whole_ticks(from: f64, to: f64, least: f64) -> impl Iterator<Item = u64> {
    let step = round_step(least.max(1.0)).round().max(1.0) as u64;
    let first = (from.max(0.0) / step as f64).ceil() as u64;
    (first..).map(move |number| number * step).take_while(move |&tick| tick as f64 <= to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_and_large_enough() {
        let near = |least: f64, step: f64| (round_step(least) / step - 1.0).abs() < 1e-9;
        assert!(near(0.9, 1.0) && near(1.2, 2.0) && near(2.0, 2.0) && near(4.2, 5.0) && near(60.0, 100.0));
        for least in 1..10_000 {
            let step = round_step(f64::from(least));
            assert!(step >= f64::from(least) && step <= 2.5 * f64::from(least) + 1.0, "{least}: {step}");
        }
    }

    #[test]
    fn labels_have_the_decimals_of_their_step() {
        let ticks = [(0.0, 0.5), (-1e-17, 0.001), (2238.5, 0.5), (-2e-7, 1e-7), (1234.0, 1.0), (2e-9, 1e-9)];
        let text = ticks.map(|(value, step)| tick_text(value, step));
        assert_eq!(text, ["0", "0", "2\u{2009}238.5", "−0.0000002", "1\u{2009}234", "0.000000002"]);
    }

    #[test]
    fn ticks_are_whole_and_within() {
        let ticks = |from, to, least| whole_ticks(from, to, least).collect::<Vec<_>>();
        assert_eq!(ticks(0.0, 103.0, 18.0), [0, 20, 40, 60, 80, 100]);
        assert_eq!(ticks(0.0, 3.0, 0.2), [0, 1, 2, 3]);
        assert_eq!(ticks(2001.0, 2999.0, 300.0), [2500]);
        assert_eq!(ticks(0.0, 0.0, 1.0), [0]);
        assert_eq!(ticks(0.0, 2_147_483_647.0, 5e8).len(), 5);
    }
}
