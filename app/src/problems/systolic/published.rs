//! Results that the paper reports, shown beside the results of this program.
//!
//! Source: M. Pedemonte, F. Luna, E. Alba, «Systolic genetic search, a systolic computing-based metaheuristic», Soft
//! Computing 19, 2015: Tables 3 and 5 and the text about them.

use gridwright_solver::systolic::grid::Flavour;
use gridwright_solver::systolic::{Instance, Kind, library};

/// The instance as the paper names it, if it is one of the paper's.
fn name(instance: &Instance) -> Option<String> {
    match &instance.kind {
        Kind::Knapsack { profits, capacity, .. } => {
            library::published_optimum(instance)?;
            Some(format!("{}-{}", profits.len(), capacity - 1))
        }
        Kind::Deceptive { blocks } if library::DECEPTIVE.contains(&(6 * blocks)) => {
            Some(format!("mmdp-{}", 6 * blocks))
        }
        _ => None,
    }
}

/// The mean iteration in which a flavour found the optimum first; `None` if it was not published.
pub fn first_hit(instance: &Instance, flavour: Flavour) -> Option<f64> {
    let name = name(instance).filter(|_| flavour == Flavour::Both)?;
    match name.as_str() {
        "100-1000" => Some(204.0),
        "200-10000" => Some(812.0),
        "1000-1000" => Some(6_148.0),
        "mmdp-300" => Some(1_054.0),
        _ => None,
    }
}

/// Returns the published result of a flavour in words: how often it found the optimum, or its error; `None` if it was
/// not published.
pub fn outcome(instance: &Instance, flavour: Flavour) -> Option<&'static str> {
    let name = name(instance)?;
    match (flavour, name.as_str()) {
        (Flavour::Exchange | Flavour::Vertical | Flavour::Both, _) => Some("in every run"),
        (Flavour::Torus, "100-1000") => Some("error 210–256"),
        (Flavour::Torus, "200-1000") => Some("error 880–923"),
        (Flavour::Torus, "200-10000") => Some("error 8150–8250"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_instances_of_the_paper_have_its_figures() {
        let of = |source: &str| library::named(source, 5).unwrap();
        assert_eq!(first_hit(&of("knapsack:100-1000"), Flavour::Both), Some(204.0));
        assert_eq!(first_hit(&of("mmdp:300"), Flavour::Both), Some(1_054.0));
        assert_eq!(first_hit(&of("mmdp:300"), Flavour::Torus), None);
        assert_eq!(outcome(&of("knapsack:200-1000"), Flavour::Torus), Some("error 880–923"));
        for other in ["knapsack:100-900", "mmdp:60", "onemax:100"] {
            assert_eq!(
                (first_hit(&of(other), Flavour::Both), outcome(&of(other), Flavour::Both)),
                (None, None),
                "{other}"
            );
        }
    }
}
