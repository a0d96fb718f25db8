//! Several devices give the numbers of one, also when they are lost.

use std::sync::atomic::AtomicU32;

use super::*;

impl Case {
    /// Runs on two devices of unequal size; the second value is the number of launches of each.
    fn on_two(&self) -> (RunResult, Vec<u32>) {
        let (control, module) = (Control::new(), self.module.unwrap_or(Module::Annealing));
        let launches = [Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0))];
        let open = |number: usize| {
            let config = EmulatorConfig { multiprocessors: number as u32 + 1, ..EmulatorConfig::default() };
            let device = Faulty { launches: Arc::clone(&launches[number]), ..Faulty::sound(start(module, config)) };
            Ok(OpenDevice::new(format!("cuda:{number}"), "CUDA emulator".to_owned(), SharedCuda::new(device)))
        };
        let environment = Environment { control: &control, open: &open };
        let found = (self.solve)(&self.tiny("cuda:0,1", 2), environment, &mut || {}).unwrap();
        (found, launches.iter().map(|count| count.load(Ordering::Relaxed)).collect())
    }

    /// Runs on as many devices as there are `faults`, of unequal sizes.
    fn on_several(&self, backend: &str, faults: &[Fault]) -> Result<RunResult> {
        let (control, module) = (Control::new(), self.module.unwrap_or(Module::Annealing));
        let open = |number: usize| {
            let absent = CudaError::NoSuchDevice { asked: number, count: faults.len() };
            faults.get(number).ok_or(absent)?.open(module, number)
        };
        (self.solve)(&self.tiny(backend, 2), Environment { control: &control, open: &open }, &mut || {})
    }
}

/// Digests of every epoch are compared: of one device, two, three, and the CPU.
#[test]
fn several_devices_give_the_numbers_of_one_and_of_the_cpu() {
    for_each_case(|case| {
        if case.module.is_none() {
            return;
        }
        let sound = || Fault::Launch(u32::MAX);
        let one = case.with_fault("cuda:0", &sound()).unwrap();
        for (backend, id, count) in
            [("cuda:0,1", "cuda:0,1", 2), ("cuda:all", "cuda:0,1,2", 3), ("cuda:1,0", "cuda:1,0", 2)]
        {
            let found = case.on_several(backend, &vec![sound(); count]).unwrap();
            let name = format!("{count} × CUDA emulator");
            assert_eq!((found.backend.as_str(), found.device.as_str()), (id, name.as_str()), "{}", case.name);
            assert_eq!(found.device_notes, [], "{}", case.name);
            case.assert_same(&found, &one, backend);
            case.assert_replays(&found, 2, backend);
        }
        let alone = case.on_several("cuda:all", &[sound()]).unwrap();
        assert_eq!(alone.backend, "cuda:0", "{}", case.name);
        // Chains, islands, walks, trajectories and neighbourhoods are shared out; other searches use the first device.
        let (found, launches) = case.on_two();
        case.assert_same(&found, &one, "counted");
        let shared = [Module::Annealing, Module::Facility, Module::Front, Module::Greedy];
        let is_shared = case.module.is_some_and(|module| shared.contains(&module));
        assert!(launches[0] > 0 && (launches[1] > 0) == is_shared, "{}: {launches:?}", case.name);
    });
}

#[test]
fn devices_of_several_that_are_lost_hand_their_share_to_the_others() {
    for_each_case(|case| {
        if case.module.is_none() {
            return;
        }
        let sound = u32::MAX;
        let whole = case.with_fault("cuda:0", &Fault::Launch(sound)).unwrap();
        for [first, second] in
            [[0, sound], [1, sound], [2, sound], [7, sound], [sound, 0], [sound, 1], [sound, 5], [3, 4]]
        {
            let found = case.on_several("cuda:0,1", &[Fault::Launch(first), Fault::Launch(second)]).unwrap();
            let what = format!("lost after {first} and {second} launches");
            case.assert_same(&found, &whole, &what);
            let notes = texts(&found.device_notes);
            let expected = usize::from(first != sound) + usize::from(second != sound);
            assert!(notes.len() <= expected, "{}, {what}: {notes:?}", case.name);
            let told = |note: &String| note.contains("injected") && note.contains("with the same numbers");
            assert!(notes.iter().all(told), "{}, {what}: {notes:?}", case.name);
            // A first device that can start nothing is missed at once.
            assert!(first > 0 || notes.iter().any(|note| note.starts_with("cuda:0: ")), "{}: {notes:?}", case.name);
            case.assert_replays(&found, 1, &what);
        }
    });
}

#[test]
#[ignore = "needs a CUDA device"]
fn cuda_used_as_several_devices_gives_the_numbers_of_one() {
    for case in cases().iter().filter(|case| case.module.is_some()) {
        let control = Control::new();
        let solve = |backend: &str| {
            let environment = Environment { control: &control, open: &open_cuda };
            (case.solve)(&case.tiny(backend, 2), environment, &mut || {}).unwrap()
        };
        let one = solve("cuda:0");
        for backend in ["cuda:0,0", "cuda:0,0,0", "cuda:all"] {
            let found = solve(backend);
            case.assert_same(&found, &one, backend);
            assert_eq!(found.device_notes, [], "{}", case.name);
        }
        println!("equal on several devices: {}", case.name);
    }
}

/// A device may be lost while tables are written, while it computes, and while its share is read.
#[test]
fn devices_of_several_may_be_lost_at_any_call() {
    for_each_case(|case| {
        if case.module.is_none() {
            return;
        }
        let sound = u32::MAX;
        let whole = case.with_fault("cuda:0", &Fault::Call(sound)).unwrap();
        for [first, second] in [[0, sound], [9, sound], [33, sound], [sound, 0], [sound, 12], [sound, 28]] {
            let found = case.on_several("cuda:0,1", &[Fault::Call(first), Fault::Call(second)]).unwrap();
            let what = format!("lost after {first} and {second} calls");
            case.assert_same(&found, &whole, &what);
            let notes = texts(&found.device_notes);
            assert!(notes.len() <= 1 && notes.iter().all(|note| note.contains("injected")), "{what}: {notes:?}");
            // Tables are written to both devices, so that one without a single call is missed.
            assert!(first.min(second) > 0 || notes.len() == 1, "{}, {what}: {notes:?}", case.name);
        }
    });
}
