//! Device tables shared by the kernels of all timetabling searches.

use gridwright_kernels::Demands;

use super::model::{PeriodSet, Precedence, Restrictions};
use gridwright_core::{Error, Result};

/// Number of 32-bit words of a set of periods.
const SET_WORDS: usize = 8;

/// Packs a neighbour into a word: exam in the lower, shared students in the upper 16 bits.
///
/// # Errors
/// [`Error::Device`] if `shared` does not fit 16 bits.
pub(crate) fn packed(exam: u16, shared: u32) -> Result<u32> {
    let shared = u16::try_from(shared).map_err(|_| {
        Error::Device(format!("two exams share {shared} students; the device counts up to 65,535, use the CPU"))
    })?;
    Ok(u32::from(exam) | u32::from(shared) << 16)
}

/// The words of a set of periods.
pub(crate) fn set_words(set: PeriodSet) -> [u32; SET_WORDS] {
    let mut words = [0; SET_WORDS];
    set.iter().for_each(|period| words[period / 32] |= 1 << (period % 32));
    words
}

/// Builds the device table of rules, seats and prices. Row k belongs to node `order[k]`; `number[n]` is the number by
/// which relations refer to node n; `penalty` is the cost of breaking a rule once.
pub(crate) fn demands(restrictions: &Restrictions, order: &[usize], number: &[u16], penalty: u64) -> Demands {
    let periods = restrictions.prices.len() / restrictions.allowed.len().max(1);
    let prices = |&node: &usize| restrictions.prices[node * periods..(node + 1) * periods].iter().copied();
    let mut demands = Demands {
        allowed: order.iter().flat_map(|&node| set_words(restrictions.allowed[node])).collect(),
        relation_offsets: vec![0],
        relations: Vec::new(),
        enrolment: order.iter().map(|&node| restrictions.enrolment[node]).collect(),
        seats: restrictions.seats.clone(),
        prices: order.iter().flat_map(prices).collect(),
        penalty,
    };
    for &node in order {
        let of = |other: u16| u32::from(number[usize::from(other)]);
        demands.relations.extend(restrictions.different[node].iter().map(|&other| of(other)));
        let relation =
            |precedence: &Precedence| of(precedence.other) | if precedence.other_later { 1 } else { 2 } << 16;
        demands.relations.extend(restrictions.precedences[node].iter().map(relation));
        demands.relation_offsets.push(demands.relations.len() as u32);
    }
    demands
}
