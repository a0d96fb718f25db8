//! A run that looks for a front: which backend explores, and what is written down.

use std::sync::Arc;

use gridwright_kernels::front::Tuning;

use super::{Algorithm, Ended, FrontObserver, Run};
use crate::backend::{Backend, OpenDevice};
use crate::flowshop::multiobjective::cuda::{Archiving, DeviceChooser, DeviceExplorer};
use crate::flowshop::multiobjective::evaluation::Shop;
use crate::flowshop::multiobjective::exploration::{Admission, Neighbourhood};
use crate::flowshop::multiobjective::explorer::CpuExplorer;
use crate::flowshop::multiobjective::pls::{Limit, ParetoSearch};
use crate::flowshop::multiobjective::tabu::TabuSearch;
use crate::flowshop::multiobjective::{Front, FrontSearch, Objectives, ParetoParameters, TabuParameters, stored};
use crate::result::{RunResult, SO_THE_CPU, Verdict};
use crate::search::Outcome;
use crate::search::driver::{self, Plan};
use crate::{Error, Result};

/// Operations of the neighbourhoods of a step below which `auto` leaves them to the CPU: it is done before a device has answered.
const WORTH_A_DEVICE: u64 = 1 << 20;

/// What a device takes over of a search; nothing where the CPU does all.
#[derive(Default)]
struct Taken<T> {
    part: Option<T>,
    /// Its name for `--backend`, and what people call it.
    device: Option<(String, String)>,
    notes: Vec<String>,
}

impl Run<'_> {
    pub(super) fn walk_front(
        &self,
        objectives: &Objectives,
        algorithm: &Algorithm,
        plan: &Plan,
        time_limit: Option<f64>,
        observer: &mut FrontObserver<'_>,
    ) -> Result<RunResult> {
        let threads = Arc::clone(&self.threads);
        match algorithm {
            Algorithm::ParetoLocalSearch(parameters) => {
                let limit = time_limit.map(|seconds| Limit { began: self.began, seconds });
                let Taken { part, device, notes } = self.explorer(objectives, parameters)?;
                let mut search = ParetoSearch::new(self.instance, objectives, parameters, self.seed, limit, threads);
                if let Some(explorer) = part {
                    search = search.exploring_with(Box::new(explorer));
                }
                let outcome = driver::run(&mut search, plan, self.control, self.began.elapsed(), observer);
                let algorithm = Algorithm::ParetoLocalSearch(search.parameters());
                self.front_result((&algorithm, plan, time_limit), outcome, &search, (device, notes))
            }
            Algorithm::Tabu(parameters) => {
                let mut search = TabuSearch::new(self.instance, objectives, parameters, self.seed, threads);
                let Taken { part, device, notes } = self.chooser(parameters, search.trajectories())?;
                if let Some(chooser) = part {
                    search = search.choosing_with(Box::new(chooser));
                }
                let outcome = driver::run(&mut search, plan, self.control, self.began.elapsed(), observer);
                self.front_result((algorithm, plan, time_limit), outcome, &search, (device, notes))
            }
            Algorithm::IteratedGreedy(_) => {
                Err(Error::Usage("greedy minimises one objective; choose pls or tabu for a front".to_owned()))
            }
        }
    }

    /// What explores for Pareto local search, where it is not the CPU.
    fn explorer(
        &self,
        objectives: &Objectives,
        parameters: &ParetoParameters,
    ) -> Result<Taken<DeviceExplorer<gridwright_kernels::SharedCuda>>> {
        let neighbourhood = Neighbourhood::named(&parameters.neighbourhood);
        let members = parameters.members.max(1) as usize;
        self.taken(neighbourhood, members, |machine| {
            let cpu = CpuExplorer {
                shop: Shop::new(self.instance),
                objectives: *objectives,
                neighbourhood,
                admission: Admission::named(&parameters.admission),
            };
            DeviceExplorer::new(self.instance, cpu, Archiving::Device, members, machine, Tuning::default())
        })
    }

    /// What looks for neighbours for tabu search, where it is not the CPU.
    fn chooser(
        &self,
        parameters: &TabuParameters,
        trajectories: usize,
    ) -> Result<Taken<DeviceChooser<gridwright_kernels::SharedCuda>>> {
        let neighbourhood = Neighbourhood::named(&parameters.neighbourhood);
        self.taken(neighbourhood, trajectories, |machine| {
            let aspiration = parameters.aspiration;
            DeviceChooser::new(self.instance, neighbourhood, aspiration, trajectories, machine, Tuning::default())
        })
    }

    /// Opens the device that was asked for, or that is there and worth it, and puts on it what `start` makes.
    fn taken<T>(
        &self,
        neighbourhood: Neighbourhood,
        side_by_side: usize,
        start: impl FnOnce(gridwright_kernels::SharedCuda) -> Result<T>,
    ) -> Result<Taken<T>> {
        let nothing = |notes| Taken { part: None, device: None, notes };
        let (jobs, machines) = (self.instance.job_count(), self.instance.machine_count());
        let work = neighbourhood.size(jobs) * (jobs * machines) as u64 / 3 * side_by_side as u64;
        if self.backend == Backend::Auto && work < WORTH_A_DEVICE {
            return Ok(nothing(Vec::new()));
        }
        let Some(OpenDevice { id, name, machine }) = self.backend.open_shared()? else {
            return Ok(nothing(Vec::new()));
        };
        match start(machine) {
            Ok(part) => Ok(Taken { part: Some(part), device: Some((id, name)), notes: Vec::new() }),
            Err(Error::Device(why)) if self.backend == Backend::Auto => {
                Ok(nothing(vec![format!("{name}: {why}{SO_THE_CPU}")]))
            }
            Err(error) => Err(error),
        }
    }

    /// Checks every member of what was found and writes everything down.
    fn front_result(
        &self,
        (algorithm, plan, time_limit): (&Algorithm, &Plan, Option<f64>),
        mut outcome: Outcome<Front>,
        search: &impl FrontSearch,
        (device, further): (Option<(String, String)>, Vec<String>),
    ) -> Result<RunResult> {
        let last = outcome.last.take();
        let (generations, evaluations, reported) = last.as_ref().map_or((0, 0, 0), |last| {
            // What observers were told may be that of a front before.
            let Front { extent, points, objectives, .. } = &*last.best;
            (last.step, last.evaluations, extent.missing(points, objectives.count()))
        });
        let order = last.as_ref().and_then(|last| last.best.compromise()).map(|order| order.to_vec());
        let front = last.as_ref().map(|last| stored::stored(self.instance, &last.best));
        let judged = front.as_ref().map(|front| stored::judge(self.instance, front)).transpose()?;
        let verdict = match judged {
            Some(judged) => Verdict {
                feasible: judged.feasible,
                cost: judged.missing as f64,
                cost_display: stored::cost_text(judged.missing),
                confirmed: reported == judged.missing,
                violations: judged.violations,
            },
            None => Verdict {
                feasible: false,
                cost: 0.0,
                cost_display: String::new(),
                confirmed: false,
                violations: Vec::new(),
            },
        };
        let (order, notes) =
            (order.unwrap_or_default(), [vec![search.shares().to_string()], further, search.notes()].concat());
        let ended = Ended { algorithm, plan, time_limit, generations, evaluations, order, verdict, front, notes };
        let mut result = self.result(ended, outcome);
        if let Some(device) = device {
            (result.backend, result.device) = device;
        }
        Ok(result)
    }
}
