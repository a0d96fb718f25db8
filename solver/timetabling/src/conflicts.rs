//! Enrolments of students, and the conflict graph that follows from them.

use super::components::connected;
use gridwright_core::numbers;
use gridwright_core::{Error, Result};
use serde::{Deserialize, Serialize};

/// Enrolments by student in compressed form: one list of exams with offsets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Students {
    /// Code of each student; empty if students are only numbered (from 1).
    pub codes: Vec<String>,
    /// Student s sits `exams[offsets[s]..offsets[s + 1]]`.
    pub offsets: Vec<u32>,
    /// Exam indices, ascending and distinct for each student.
    pub exams: Vec<u16>,
}

impl Students {
    /// Number of students.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Returns `true` if there is no student.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Exam indices of one student, ascending.
    pub fn exams_of(&self, student: usize) -> &[u16] {
        &self.exams[self.offsets[student] as usize..self.offsets[student + 1] as usize]
    }

    /// Students of an exam, ascending.
    pub(crate) fn of_exam(&self, exam: usize) -> Vec<usize> {
        (0..self.len()).filter(|&student| self.exams_of(student).binary_search(&(exam as u16)).is_ok()).collect()
    }

    /// Iterates over the students; each item is the ascending list of that student's exams.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u16]> {
        (0..self.len()).map(|student| self.exams_of(student))
    }

    /// The code of a student, or its number from 1.
    pub fn code(&self, student: usize) -> String {
        self.codes.get(student).cloned().unwrap_or_else(|| (student + 1).to_string())
    }
}

/// Conflict graph in compressed sparse rows: edge (i, j) with weight c_ij > 0, the number of students who sit both.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conflicts {
    offsets: Vec<u32>,
    exams: Vec<u16>,
    shared: Vec<u32>,
}

impl Conflicts {
    /// Counts shared students row by row from the students of each exam; memory is linear in exams, enrolments and
    /// edges.
    ///
    /// # Errors
    /// [`Error::Usage`] if there are more than `most` edges.
    pub(super) fn count(exams: usize, students: &Students, most: usize) -> Result<Self> {
        let mut sitting: Vec<Vec<u32>> = vec![Vec::new(); exams];
        for (student, list) in students.iter().enumerate() {
            for &exam in list {
                sitting[usize::from(exam)].push(student as u32);
            }
        }
        let mut conflicts = Self { offsets: vec![0], ..Self::default() };
        let mut shared = vec![0_u32; exams];
        for (exam, list) in sitting.iter().enumerate() {
            let mut touched = Vec::new();
            for &student in list {
                for &other in students.exams_of(student as usize) {
                    if usize::from(other) != exam {
                        if shared[usize::from(other)] == 0 {
                            touched.push(other);
                        }
                        shared[usize::from(other)] += 1;
                    }
                }
            }
            touched.sort_unstable();
            for other in touched {
                conflicts.exams.push(other);
                conflicts.shared.push(std::mem::take(&mut shared[usize::from(other)]));
            }
            if conflicts.exams.len() > 2 * most {
                return Err(Error::Usage(format!(
                    "more than {} pairs of exams share a student, the most that can be handled; look for students with \
                     hundreds of exams in the table of enrolments, or plan the session in parts",
                    numbers::grouped(most as u64)
                )));
            }
            conflicts.offsets.push(conflicts.exams.len() as u32);
        }
        Ok(conflicts)
    }

    /// Builds the graph from edges (a, b, shared students), each given once; weights of parallel edges are added.
    pub(super) fn from_edges(exams: usize, edges: impl IntoIterator<Item = (u16, u16, u32)>) -> Self {
        let mut rows: Vec<Vec<(u16, u32)>> = vec![Vec::new(); exams];
        for (a, b, shared) in edges {
            rows[usize::from(a)].push((b, shared));
            rows[usize::from(b)].push((a, shared));
        }
        Self::from_rows(rows)
    }

    /// The graph with other numbers: exam `order[k]` becomes exam k; `number` is the inverse permutation.
    pub(super) fn renumbered(&self, order: &[usize], number: &[u16]) -> Self {
        Self::from_rows(order.iter().map(|&old| self.of(old).map(|(other, shared)| (number[other], shared)).collect()))
    }

    /// Builds the graph from the neighbours of each exam, in any order; shared students of equal neighbours are added.
    fn from_rows(rows: impl IntoIterator<Item = Vec<(u16, u32)>>) -> Self {
        let mut conflicts = Self { offsets: vec![0], ..Self::default() };
        for mut row in rows {
            row.sort_unstable();
            for neighbours in row.chunk_by(|one, other| one.0 == other.0) {
                conflicts.exams.push(neighbours[0].0);
                conflicts.shared.push(neighbours.iter().map(|neighbour| neighbour.1).sum());
            }
            conflicts.offsets.push(conflicts.exams.len() as u32);
        }
        conflicts
    }

    /// Number of exams.
    pub fn exams(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Degree of `exam`: number of exams that share a student with it.
    pub fn degree(&self, exam: usize) -> usize {
        (self.offsets[exam + 1] - self.offsets[exam]) as usize
    }

    /// Neighbours of `exam` as (other exam, shared students), ascending by exam.
    pub fn of(&self, exam: usize) -> impl ExactSizeIterator<Item = (usize, u32)> + '_ {
        let range = self.edges_of(exam);
        self.exams[range.clone()].iter().zip(&self.shared[range]).map(|(&other, &shared)| (usize::from(other), shared))
    }

    /// c_ab: number of students who sit both exams; 0 if they do not conflict.
    pub fn shared(&self, a: usize, b: usize) -> u32 {
        self.edge(a, b).map_or(0, |edge| self.shared[edge])
    }

    /// Index of the edge from a to b among the edges of all exams, [`Self::edges_of`] exam by exam; `None` without a conflict.
    pub(crate) fn edge(&self, a: usize, b: usize) -> Option<usize> {
        let range = self.edges_of(a);
        self.exams[range.clone()].binary_search(&(b as u16)).ok().map(|at| range.start + at)
    }

    /// Indices of the edges from an exam, in the order of its neighbours.
    pub(crate) fn edges_of(&self, exam: usize) -> std::ops::Range<usize> {
        self.offsets[exam] as usize..self.offsets[exam + 1] as usize
    }

    /// Number of unordered pairs of exams that share a student.
    pub fn pairs(&self) -> usize {
        self.exams.len() / 2
    }

    /// Density of the conflict matrix: 2·pairs / exams².
    pub fn density(&self) -> f64 {
        if self.exams() == 0 { 0.0 } else { self.exams.len() as f64 / (self.exams() as f64 * self.exams() as f64) }
    }

    /// Σ_{i<j} c_ij: number of (student, pair of their exams).
    pub(crate) fn total_shared(&self) -> u64 {
        self.shared.iter().map(|&shared| u64::from(shared)).sum::<u64>() / 2
    }

    /// The connected components, each ascending, ordered by their smallest exam.
    pub fn components(&self) -> Vec<Vec<usize>> {
        connected(self.exams(), |exam| self.of(exam).map(|(other, _)| other).collect())
    }

    /// Largest clique found greedily from every exam, neighbours by descending degree: its size is a lower bound on the
    /// number of periods of a conflict-free timetable. Exam indices, ascending. Very large graphs are searched from their
    /// first exams only: as many as a bounded number of steps allows, on every machine.
    pub fn greedy_clique(&self) -> Vec<usize> {
        /// Visits of neighbours, a tenth of a second.
        const MOST_VISITS: usize = 1 << 25;
        let mut order: Vec<usize> = (0..self.exams()).collect();
        order.sort_by_key(|&exam| std::cmp::Reverse(self.degree(exam)));
        let mut rank = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &exam)| rank[exam] = place);
        let (mut best, mut visits) = (Vec::new(), 0);
        // Number of members of the clique that each exam shares students with.
        let mut adjacent = vec![0; order.len()];
        for first in 0..self.exams() {
            if self.degree(first) < best.len() || visits > MOST_VISITS {
                continue;
            }
            let mut candidates: Vec<usize> = self.of(first).map(|(other, _)| rank[other]).collect();
            candidates.sort_unstable();
            let mut clique = Vec::new();
            for candidate in std::iter::once(first).chain(candidates.iter().map(|&place| order[place])) {
                if adjacent[candidate] == clique.len() {
                    clique.push(candidate);
                    visits += self.degree(candidate);
                    self.of(candidate).for_each(|(other, _)| adjacent[other] += 1);
                }
            }
            clique.iter().for_each(|&member| self.of(member).for_each(|(other, _)| adjacent[other] = 0));
            if clique.len() > best.len() {
                best = clique;
            }
        }
        best.sort_unstable();
        best
    }
}
