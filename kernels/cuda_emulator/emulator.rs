//! CUDA emulator: a [`DeviceRuntime`] that runs the unmodified `.cu` files on the CPU, compiled by the C++ compiler at test time.
//!
//! Tests include this file with `#[path]`. It needs a Unix with `c++` (or the compiler that `CXX` names); elsewhere
//! [`CudaEmulator::start`] returns the reason as an error.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use gridwright_kernels::ptx::included_sources;
use gridwright_kernels::structs::{FieldLayout, StructLayout, constants, layouts};
use gridwright_kernels::{Argument, CudaError, DeviceRuntime, Launch, Limits, Memory, Module};

/// Order in which the threads of a block, and the blocks of a grid, are resumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WarpOrder {
    /// By ascending number.
    Ascending,
    /// By descending number.
    Descending,
    /// By a new permutation in every round, drawn from this seed.
    Shuffled(u64),
    /// Each warp runs as far as it can before the next one begins, so that a missing barrier changes the result.
    Eager,
}

/// Text of the kernel sources and its replacement.
pub type Change = (&'static str, &'static str);

/// Difference to the kernel sources.
#[derive(Debug, Clone, Copy)]
pub enum Changed {
    /// A text, such as a declaration.
    Text(Change),
    /// One of several changes of statements, all of which are compiled into one program.
    Switched { all: &'static [Change], number: usize },
}

/// Compilation and scheduling options of the emulator.
#[derive(Debug, Clone, Copy)]
pub struct EmulatorConfig {
    /// Order of threads and blocks.
    pub order: WarpOrder,
    /// Compiles with AddressSanitizer and UndefinedBehaviorSanitizer.
    pub sanitized: bool,
    /// Value of `__CUDA_ARCH__`, such as 750.
    pub architecture: u32,
    /// Changes of the kernel sources, one of which counts; tests remove a barrier to prove that they would notice.
    pub changed: Option<Changed>,
    /// Shared memory that a block can have, bytes.
    pub shared_per_block: usize,
    /// Number of multiprocessors that it reports.
    pub multiprocessors: u32,
}

impl Default for EmulatorConfig {
    fn default() -> Self {
        Self {
            order: WarpOrder::Ascending,
            sanitized: false,
            architecture: 750,
            changed: None,
            shared_per_block: 48 << 10,
            multiprocessors: 1,
        }
    }
}

/// Process that runs the kernels of one module on the CPU.
#[derive(Debug)]
pub struct CudaEmulator {
    identity: u64,
    shared_per_block: usize,
    multiprocessors: u32,
    process: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    reserved: u32,
}

impl CudaEmulator {
    /// Compiles the kernels of `module` from `sources` (the folder `kernels/`), unless `scratch` holds the program already, and starts it.
    ///
    /// # Errors
    /// A message if there is no compiler, if the sources do not compile, or if the process cannot be started.
    pub fn start(sources: &Path, scratch: &Path, module: Module, config: EmulatorConfig) -> Result<Self, String> {
        static NEXT: AtomicU64 = AtomicU64::new(1 << 32);
        let program = compile(sources, scratch, module, config)?;
        let mut command = Command::new(&program);
        match config.order {
            WarpOrder::Ascending => command.arg("ascending"),
            WarpOrder::Descending => command.arg("descending"),
            WarpOrder::Eager => command.arg("eager"),
            WarpOrder::Shuffled(seed) => command.args(["shuffled", &seed.to_string()]),
        };
        if let Some(Changed::Switched { number, .. }) = config.changed {
            command.env("EMULATOR_CHANGE", number.to_string());
            // The end is expected, and finding the names of its functions takes seconds.
            command.env("ASAN_OPTIONS", "symbolize=0");
        }
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
        let output = process.stdout.take().ok_or("the emulator has no output")?;
        Ok(Self {
            identity: NEXT.fetch_add(1, Ordering::Relaxed),
            shared_per_block: config.shared_per_block,
            multiprocessors: config.multiprocessors,
            input: process.stdin.take(),
            process,
            output,
            reserved: 0,
        })
    }

    fn send(&mut self, kernel: &'static str, parts: &[&[u8]]) -> Result<(), CudaError> {
        let written = match &mut self.input {
            Some(input) => parts.iter().try_for_each(|part| input.write_all(part)).and_then(|()| input.flush()),
            None => Err(std::io::Error::other("closed")),
        };
        written.map_err(|error| self.broken(kernel, &error))
    }

    fn receive(&mut self, kernel: &'static str, into: &mut [u8]) -> Result<(), CudaError> {
        self.output.read_exact(into).map_err(|error| self.broken(kernel, &error))
    }

    fn confirmed(&mut self, kernel: &'static str) -> Result<(), CudaError> {
        let mut answer = [0];
        self.receive(kernel, &mut answer)
    }

    fn broken(&mut self, kernel: &'static str, error: &std::io::Error) -> CudaError {
        self.input = None;
        let status = self.process.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        CudaError::Launch {
            kernel,
            what: format!("the CUDA emulator ended ({status}, {error}); its message stands above"),
        }
    }
}

impl Drop for CudaEmulator {
    fn drop(&mut self) {
        self.input = None;
        // The process ends with its input; nothing can be done if it does not.
        let _ = self.process.wait();
    }
}

impl DeviceRuntime for CudaEmulator {
    fn identity(&self) -> u64 {
        self.identity
    }

    fn limits(&mut self) -> Result<Limits, CudaError> {
        Ok(Limits {
            name: "CUDA emulator".to_owned(),
            shared_per_block: self.shared_per_block,
            shared_per_multiprocessor: 64 << 10,
            multiprocessors: self.multiprocessors,
            further: Vec::new(),
            free: 1 << 30,
        })
    }

    fn reserve(&mut self, bytes: usize) -> Result<Memory, CudaError> {
        self.send("reserve", &[b"A", &(bytes as u64).to_le_bytes()])?;
        self.confirmed("reserve")?;
        self.reserved += 1;
        Ok(Memory { runtime: self.identity, number: self.reserved - 1, bytes })
    }

    fn write_at(&mut self, to: Memory, offset: usize, bytes: &[u8]) -> Result<(), CudaError> {
        let (number, offset, length) =
            (to.number.to_le_bytes(), (offset as u64).to_le_bytes(), (bytes.len() as u64).to_le_bytes());
        self.send("write", &[b"W", &number, &offset, &length, bytes])?;
        self.confirmed("write")
    }

    fn read_at(&mut self, from: Memory, offset: usize, into: &mut [u8]) -> Result<(), CudaError> {
        let (number, offset, length) =
            (from.number.to_le_bytes(), (offset as u64).to_le_bytes(), (into.len() as u64).to_le_bytes());
        self.send("read", &[b"R", &number, &offset, &length])?;
        self.receive("read", into)
    }

    fn launch(&mut self, launch: &Launch) -> Result<(), CudaError> {
        let mut bytes = vec![b'L'];
        let mut number = |number: u32| bytes.extend_from_slice(&number.to_le_bytes());
        number(launch.kernel().len() as u32);
        bytes.extend_from_slice(launch.kernel().as_bytes());
        let [x, y] = launch.grid();
        for value in [x, y, 1, launch.block(), 1, 1, launch.shared(), launch.arguments().len() as u32] {
            bytes.extend_from_slice(&value.to_le_bytes());
        }
        for argument in launch.arguments() {
            match argument {
                Argument::Memory(memory) => {
                    assert_eq!(memory.runtime, self.identity, "memory of another device");
                    bytes.push(b'b');
                    bytes.extend_from_slice(&memory.number.to_le_bytes());
                }
                Argument::Value(value) => {
                    bytes.push(b'v');
                    bytes.extend_from_slice(&(value.len() as u32).to_le_bytes());
                    bytes.extend_from_slice(value);
                }
            }
        }
        self.send(launch.kernel(), &[&bytes])?;
        self.confirmed(launch.kernel())
    }

    fn wait(&mut self) -> Result<(), CudaError> {
        Ok(())
    }
}

/// Headers of the emulator.
const HEADERS: [&str; 5] = ["emulator.hpp", "scheduler.hpp", "builtins.hpp", "launches.hpp", "main.hpp"];

/// Names of the kernels that a source declares: `extern "C" __global__ … NAME(`, or the first argument of a macro that defines a kernel.
fn kernels(source: &str) -> Vec<String> {
    let makers: Vec<&str> = source
        .lines()
        .filter_map(|line| line.strip_prefix("#define ")?.split_once("(NAME,").map(|(maker, _)| maker))
        .collect();
    let mut names = Vec::new();
    for line in source.lines() {
        if let Some(rest) = line.strip_prefix("extern \"C\" __global__ void ") {
            let name = rest.rsplit_once('(').map_or(rest, |(front, _)| front);
            names.extend(name.split_whitespace().last().map(str::to_owned));
        }
        for maker in &makers {
            if let Some(rest) = line.strip_prefix(maker).and_then(|rest| rest.strip_prefix('(')) {
                names.extend(rest.split(',').next().map(str::to_owned));
            }
        }
    }
    names
}

/// Compiles a module for the emulator; the name of the program in `scratch` holds the hash of everything that it is made from.
fn compile(sources: &Path, scratch: &Path, module: Module, config: EmulatorConfig) -> Result<PathBuf, String> {
    let read = |path: PathBuf| std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()));
    let mut paths =
        included_sources(&sources.join("cuda"), module).map_err(|error| format!("{}: {error}", module.name()))?;
    paths.extend(HEADERS.map(|name| sources.join("cuda_emulator").join(name)));
    let mut files = Vec::with_capacity(paths.len() + 1);
    for path in paths {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        files.push((name, read(path)?));
    }
    let changes = match config.changed {
        None => Vec::new(),
        Some(Changed::Text((before, after))) => vec![(before, after.to_owned())],
        Some(Changed::Switched { all, .. }) => {
            all.iter().enumerate().map(|(number, change)| (change.0, switched(number, *change))).collect()
        }
    };
    for (before, after) in changes {
        let places: usize = files.iter().map(|(_, text)| text.matches(before).count()).sum();
        if places != 1 {
            return Err(format!("{before:?}, which is to be changed, occurs {places} times in the kernels"));
        }
        for (_, text) in &mut files {
            *text = text.replace(before, &after);
        }
    }
    let names: Vec<String> = kernels(&files[0].1).iter().map(|name| format!("KERNEL({name})")).collect();
    let main = format!(
        "#define __CUDA_ARCH__ {}\n#include \"emulator.hpp\"\n#include \"{}\"\n{}#define KERNELS {}\n#include \"main.hpp\"\n",
        config.architecture,
        files[0].0,
        layout_checks(module),
        names.join(" ")
    );
    files.push(("main.cpp".to_owned(), main));
    let mut options = Vec::new();
    if config.sanitized {
        options.extend(["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]);
        if config.changed.is_none() {
            // Reports name lines. A changed kernel is expected to fail, and compiles faster without them.
            options.push("-g1");
        }
    }
    build(scratch, &files, &options)
}

/// Text of the kernel sources that means `after` if the program is started with this change, and `before` otherwise. A change
/// leaves statements out or replaces a statement.
fn switched(number: usize, (before, after): Change) -> String {
    let is_other = format!("cuda_emulator::chosen_change() != {number}");
    let pairs = || before.chars().zip(after.chars());
    let front: usize = pairs().take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum();
    let (start, rest) = before.split_at(front);
    if let Some(removed) = rest.strip_suffix(&after[front..]).filter(|removed| removed.contains(';')) {
        return format!("{start}\nif ({is_other}) {{\n{removed}\n}}\n{}", &after[front..]);
    }
    format!("if ({is_other}) {{ {before} }} else {{ {after} }}")
}

/// Returns C++ assertions that the structs and constants of a module are declared alike in Rust and in the CUDA sources.
fn layout_checks(module: Module) -> String {
    let mut checks = String::new();
    for StructLayout { name, size, fields } in layouts(module) {
        checks += &format!("static_assert(sizeof({name}) == {size}, \"size of {name}\");\n");
        for FieldLayout { name: field, offset, size } in *fields {
            checks += &format!(
                "static_assert(offsetof({name}, {field}) == {offset} && sizeof({name}::{field}) == {size}, \"{name}.{field}\");\n"
            );
        }
    }
    for (name, value) in constants(module) {
        checks += &format!("static_assert(({name}) == {value}u, \"{name}\");\n");
    }
    checks
}

fn build(scratch: &Path, files: &[(String, String)], more_options: &[&str]) -> Result<PathBuf, String> {
    if !cfg!(unix) {
        return Err("the CUDA emulator needs a Unix".to_owned());
    }
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let mut options = vec!["-std=c++17", "-O1", "-fno-strict-aliasing", "-Wall", "-Wno-unknown-pragmas", "-Werror"];
    options.extend(more_options);
    let mut hasher = DefaultHasher::new();
    (&compiler, &options, files).hash(&mut hasher);
    let program = scratch.join(format!("emulator-{:016x}", hasher.finish()));
    if program.exists() {
        return Ok(program);
    }
    // Each test thread compiles in a folder of its own and moves the finished program into place.
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = scratch.join(format!("emulator-{}-{number}", std::process::id()));
    let io = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(&folder).map_err(io)?;
    for (name, text) in files {
        std::fs::write(folder.join(name), text).map_err(io)?;
    }
    let output = Command::new(&compiler)
        .args(&options)
        .args(["main.cpp", "-o", "program"])
        .current_dir(&folder)
        .output()
        .map_err(|error| format!("there is no C++ compiler ({compiler}: {error}); install one, or set CXX"))?;
    if !output.status.success() {
        return Err(format!("the kernels do not compile for the CPU:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    std::fs::rename(folder.join("program"), &program).map_err(io)?;
    std::fs::remove_dir_all(&folder).map_err(io)?;
    Ok(program)
}
