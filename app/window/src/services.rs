//! Slow operations that the window calls; tests replace them.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;

use gridwright_core::backend::{self, Device};

use crate::device_memory::Prober;
use crate::document::{DocumentKind, Operations};

/// Operations of problems that were replaced, by the type of their documents.
#[derive(Clone, Default)]
pub struct Replaced(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

/// Slow operations that the window calls; tests replace them.
#[derive(Clone)]
pub struct Services {
    /// Operations of problems that were replaced; see [`Services::replace`].
    pub replaced: Replaced,
    /// Looks for what can compute.
    pub devices: Arc<dyn Fn() -> Vec<Device> + Send + Sync>,
    /// Asks a CUDA device what it offers.
    pub limits: Prober,
    /// True if the system's file dialogs may be used; otherwise the built-in one is shown.
    pub dialogs: bool,
    /// True if study mode is on for every problem until the person switches it off.
    pub studies: bool,
    /// Returns `true` if a recent file still exists.
    pub exists: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    /// Name of the renderer.
    pub renderer: &'static str,
}

impl Default for Services {
    fn default() -> Self {
        Self {
            replaced: Replaced::default(),
            devices: Arc::new(backend::devices),
            limits: Arc::new(backend::limits),
            dialogs: true,
            studies: false,
            exists: Arc::new(|source| gridwright_core::source::path(source).exists()),
            renderer: "no display",
        }
    }
}

impl Services {
    /// Operations of a problem.
    pub fn operations<K: DocumentKind>(&self) -> Operations<K> {
        let replaced = self.replaced.0.get(&TypeId::of::<K>());
        replaced.and_then(|operations| operations.downcast_ref::<Operations<K>>()).cloned().unwrap_or_default()
    }

    /// Replaces operations of a problem.
    #[must_use]
    pub fn replace<K: DocumentKind>(mut self, change: impl FnOnce(&mut Operations<K>)) -> Self {
        let mut operations = self.operations::<K>();
        change(&mut operations);
        self.replaced.0.insert(TypeId::of::<K>(), Arc::new(operations));
        self
    }
}
