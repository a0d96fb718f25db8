//! GPU memory that the next run needs and that is free: asked in a thread whenever either may have changed, and shown
//! before the run is started.

use std::any::Any;
use std::sync::Arc;

use egui::{Context, Label, RichText, Sense, Ui, vec2};
use gridwright_core::Result;
use gridwright_core::backend::{Backend, Device, Limits, MemoryNeed};

use crate::later::Later;
use crate::theme::{self, palette, space};
use crate::widgets::controls::fact;
use crate::widgets::icons::Icon;

/// Reads the present limits of the devices of a backend; tests replace it.
pub(crate) type Prober = Arc<dyn Fn(&Backend) -> Result<Limits> + Send + Sync>;

/// Computes the need of a run on a device with these limits; `None` if the CPU computes.
pub(crate) type Needs = Box<dyn FnOnce(Backend, &Limits) -> Result<Option<MemoryNeed>> + Send>;

/// The next run.
pub struct Question {
    /// Name of the backend, such as `auto` or `cuda:0`.
    pub backend: String,
    /// The instance; another instance is another question.
    pub subject: Arc<dyn Any + Send + Sync>,
    /// Everything else that the answer depends on, as text for comparisons only.
    pub settings: String,
    /// Computes the answer; it may take a moment.
    pub needs: Needs,
}

/// By what questions are told from each other.
#[derive(Clone)]
struct Key {
    backend: String,
    /// Held, so that nothing else can come to lie at its place.
    subject: Arc<dyn Any + Send + Sync>,
    settings: String,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        let same = std::ptr::addr_eq(Arc::as_ptr(&self.subject), Arc::as_ptr(&other.subject));
        same && self.backend == other.backend && self.settings == other.settings
    }
}

/// Answer for the next run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Display name of the device.
    pub device: String,
    /// Memory needed and free, or the reason why the device cannot run it.
    pub need: std::result::Result<MemoryNeed, String>,
    /// True if the device was not named, so that the CPU computes if the device cannot.
    pub automatic: bool,
}

impl Answer {
    /// Reason that keeps the run from the device, with the remedy; `None` if nothing does.
    pub(crate) fn obstacle(&self) -> Option<String> {
        let why = match &self.need {
            Ok(need) if need.fits() => return None,
            Ok(need) => need.to_string(),
            Err(why) => why.clone(),
        };
        let device = &self.device;
        Some(if self.automatic {
            format!("The CPU will solve this, not {device}: {why}.")
        } else {
            format!("{device} cannot solve this: {why}.")
        })
    }
}

#[derive(Default)]
pub(crate) struct Watch {
    asked: Option<Key>,
    later: Later<Option<Answer>>,
    answer: Option<Answer>,
}

impl Watch {
    /// Takes in what the thread has to say, and asks anew where the question is another one. Without a question, or without a
    /// device that could do it, nothing is known and nothing asked.
    pub(crate) fn poll(&mut self, ctx: &Context, question: Option<Question>, devices: &[Device], probe: &Prober) {
        let arrived = self.later.take_result();
        let Some((question, backend, device)) = question.and_then(|question| for_device(question, devices)) else {
            (self.asked, self.answer) = (None, None);
            return;
        };
        let Question { backend: name, subject, settings, needs } = question;
        let key = Key { backend: name, subject, settings };
        if self.asked.as_ref() == Some(&key) {
            if let Some(arrived) = arrived {
                self.answer = arrived.ok().flatten();
            }
            return;
        }
        // An answer to an earlier question is of no use any more, but its thread has to end first.
        self.answer = None;
        if self.later.is_busy() {
            return;
        }
        self.asked = Some(key);
        let (probe, device) = (Arc::clone(probe), device.name.clone());
        let automatic = backend == Backend::Auto;
        self.later.begin(ctx, "device memory", move || {
            let need = match probe(&backend).and_then(|limits| needs(backend, &limits)) {
                Ok(need) => Ok(need?),
                Err(why) => Err(why.to_string()),
            };
            Some(Answer { device, need, automatic })
        });
    }

    /// Below the parameters: need and room; nothing where nothing is known.
    pub(crate) fn show_need(&self, ui: &mut Ui) {
        let Some(Answer { device, need: Ok(need), .. }) = &self.answer else { return };
        ui.add_space(space::XS);
        fact(ui, "GPU memory needed", &MemoryNeed::size(need.needed));
        fact(ui, "GPU memory free", &MemoryNeed::size(need.free));
        let weak = palette(ui.visuals()).weak;
        ui.label(theme::small(format!("Of {device}, before the run is started")).color(weak));
    }

    /// Shows the reason why the device cannot take the run, beside the button that starts it; nothing if it can.
    pub(crate) fn show_obstacle(&self, ui: &mut Ui) {
        let Some(text) = self.answer.as_ref().and_then(Answer::obstacle) else { return };
        let palette = palette(ui.visuals());
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = space::S;
            let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
            Icon::Warning.paint(ui.painter(), rect, palette.bad);
            ui.add(Label::new(RichText::new(text).color(palette.bad)).wrap());
        });
        ui.add_space(space::XS);
    }
}

/// The question with the backend that is asked for and the device that it comes to, where that can be used.
fn for_device(question: Question, devices: &[Device]) -> Option<(Question, Backend, &Device)> {
    let backend = Backend::named(&question.backend).ok()?;
    let id = match &backend {
        Backend::Cpu => return None,
        Backend::Auto => "cuda:0".to_owned(),
        Backend::Cuda(number) => format!("cuda:{number}"),
        Backend::Several(_) => question.backend.clone(),
    };
    let device = devices.iter().find(|device| device.id == id && device.unavailable.is_none())?;
    Some((question, backend, device))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(needed: u64, automatic: bool) -> Answer {
        Answer { device: "Card".to_owned(), need: Ok(MemoryNeed { needed, free: 1 << 20 }), automatic }
    }

    #[test]
    fn what_does_not_fit_is_said_with_a_remedy() {
        assert_eq!(answer(1 << 20, false).obstacle(), None);
        let named = answer(2 << 20, false).obstacle().unwrap();
        assert!(named.starts_with("Card cannot solve this: ") && named.contains("2.0 MiB"), "{named}");
        assert!(named.contains("use the CPU"), "{named}");
        let automatic = answer(2 << 20, true).obstacle().unwrap();
        assert!(automatic.starts_with("The CPU will solve this, not Card: "), "{automatic}");
        let refused = Answer { need: Err("too many exams".to_owned()), ..answer(0, false) };
        assert_eq!(refused.obstacle().unwrap(), "Card cannot solve this: too many exams.");
    }
}
