//! Limits on the number of exams of a student in windows of periods, counted for each student.

use crate::limit_windows::Window;
use crate::{Instance, UNPLACED};

/// Why devices do not search with such limits.
pub(crate) const CPU_ONLY: &str = "limits that count several exams of a student are kept by the search on the CPU only; choose the CPU, \
                                   or limits of one exam";

/// Windows with more than one exam, and the students who have enough exams to break them.
#[derive(Debug, Clone)]
pub(crate) struct CountedLimits {
    /// Windows of each period.
    pub(super) of_period: Vec<Vec<u16>>,
    /// Largest number of exams of a student in each window.
    pub(super) most: Vec<u16>,
    /// Students of node n at `offsets[n]..offsets[n + 1]`.
    students: Vec<u32>,
    offsets: Vec<u32>,
    /// Nodes of each student.
    pub(super) nodes: Vec<Vec<u16>>,
}

impl CountedLimits {
    /// The limits for nodes with these exams; `None` if no student can break any.
    pub(super) fn of(instance: &Instance, windows: &[Window], groups: &[Vec<usize>]) -> Option<Self> {
        let windows: Vec<&Window> = windows.iter().filter(|window| window.most > 1).collect();
        let least = windows.iter().map(|window| window.most).min()? as usize;
        let mut node_of = vec![UNPLACED; instance.exam_count()];
        for (node, exams) in groups.iter().enumerate() {
            exams.iter().for_each(|&exam| node_of[exam] = node as u16);
        }
        let mut nodes = Vec::new();
        for student in 0..instance.students.len() {
            let exams = instance.students.exams_of(student).iter();
            let mut own: Vec<u16> =
                exams.map(|&exam| node_of[usize::from(exam)]).filter(|&node| node != UNPLACED).collect();
            own.sort_unstable();
            own.dedup();
            if own.len() > least {
                nodes.push(own);
            }
        }
        let mut of_nodes = vec![Vec::new(); groups.len()];
        for (student, own) in nodes.iter().enumerate() {
            own.iter().for_each(|&node| of_nodes[usize::from(node)].push(student as u32));
        }
        let mut offsets = vec![0];
        for students in &of_nodes {
            offsets.push(offsets.last().copied().unwrap_or(0) + students.len() as u32);
        }
        let of = |period: usize| {
            let there = windows.iter().enumerate().filter(|(_, window)| window.periods.contains(period));
            there.map(|(number, _)| number as u16).collect()
        };
        (!nodes.is_empty()).then(|| Self {
            of_period: (0..instance.period_count()).map(of).collect(),
            most: windows.iter().map(|window| window.most as u16).collect(),
            students: of_nodes.concat(),
            offsets,
            nodes,
        })
    }

    /// Length of the counts of a timetable.
    pub(super) fn counts(&self) -> usize {
        self.nodes.len() * self.most.len()
    }

    pub(super) fn students_of(&self, node: usize) -> &[u32] {
        &self.students[self.offsets[node] as usize..self.offsets[node + 1] as usize]
    }

    /// Windows of `period` that `from`, a period or [`UNPLACED`], is not in.
    fn entered(&self, from: u16, period: usize) -> impl Iterator<Item = usize> + '_ {
        let left: &[u16] = self.of_period.get(usize::from(from)).map_or(&[], Vec::as_slice);
        self.of_period[period].iter().filter(|window| !left.contains(window)).map(|&window| usize::from(window))
    }

    /// Counts a node that moves between two periods or [`UNPLACED`].
    pub(super) fn count(&self, counts: &mut [u16], node: usize, (from, to): (u16, u16)) {
        let windows = |period: u16| self.of_period.get(usize::from(period)).into_iter().flatten();
        for &student in self.students_of(node) {
            let row = student as usize * self.most.len();
            windows(from).for_each(|&window| counts[row + usize::from(window)] -= 1);
            windows(to).for_each(|&window| counts[row + usize::from(window)] += 1);
        }
    }

    /// Returns `true` if `node`, which is in the period `from` or [`UNPLACED`], may move to `period`.
    pub(super) fn admit(&self, counts: &[u16], node: usize, from: u16, period: usize) -> bool {
        let most = &self.most;
        self.entered(from, period).all(|window| {
            let count = |student: u32| counts[student as usize * most.len() + window];
            self.students_of(node).iter().all(|&student| count(student) < most[window])
        })
    }

    /// Returns `true` if no student of a node in `period` is beyond a limit.
    pub(super) fn holds(&self, counts: &[u16], node: usize, period: usize) -> bool {
        self.of_period[period].iter().map(|&window| usize::from(window)).all(|window| {
            let count = |student: u32| counts[student as usize * self.most.len() + window];
            self.students_of(node).iter().all(|&student| count(student) <= self.most[window])
        })
    }
}
