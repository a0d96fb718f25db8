//! The test ground as a machine: kernels run on the CPU, compiled by the C++ compiler at test time.
//!
//! Tests take this file in with `#[path]`. It needs a Unix with `c++` (or what `CXX` names); elsewhere
//! [`Ground::start`] says why there is none.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use gridwright_kernels::{Argument, CudaError, Launch, Limits, Machine, Memory, Module};

/// The order in which the threads of a block, and the blocks, are resumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Ascending.
    Forward,
    /// Descending.
    Backward,
    /// A new permutation each time, from this seed.
    Shuffled(u64),
    /// Every warp as far as it gets before the next one: what only a barrier keeps in order is out of order without it.
    Ahead,
}

/// How the kernels are compiled and run.
#[derive(Debug, Clone, Copy)]
pub struct Ways {
    /// The order of threads and blocks.
    pub order: Order,
    /// Whether AddressSanitizer watches over every buffer.
    pub sanitized: bool,
    /// `__CUDA_ARCH__` as the kernels see it, such as 750.
    pub architecture: u32,
    /// Text of a kernel source that is replaced, to see whether the tests notice.
    pub change: Option<(&'static str, &'static str)>,
    /// Shared memory that a block can have, bytes.
    pub shared_per_block: usize,
}

impl Default for Ways {
    fn default() -> Self {
        Self { order: Order::Forward, sanitized: false, architecture: 750, change: None, shared_per_block: 48 << 10 }
    }
}

/// A process that runs kernels on the CPU.
#[derive(Debug)]
pub struct Ground {
    identity: u64,
    shared_per_block: usize,
    process: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    reserved: u32,
}

impl Ground {
    /// Compiles the kernels of a module, unless that was done before, and starts the process.
    ///
    /// # Errors
    /// Why it cannot be: no compiler, or what it says.
    pub fn start(sources: &Path, scratch: &Path, module: Module, ways: Ways) -> Result<Self, String> {
        static NEXT: AtomicU64 = AtomicU64::new(1 << 32);
        let program = compile(sources, scratch, module, ways)?;
        let mut command = Command::new(&program);
        match ways.order {
            Order::Forward => command.arg("forward"),
            Order::Backward => command.arg("backward"),
            Order::Ahead => command.arg("ahead"),
            Order::Shuffled(seed) => command.args(["shuffled", &seed.to_string()]),
        };
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
        let output = process.stdout.take().ok_or("the ground has no output")?;
        Ok(Self {
            identity: NEXT.fetch_add(1, Ordering::Relaxed),
            shared_per_block: ways.shared_per_block,
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
            what: format!("the test ground ended ({status}, {error}); its message stands above"),
        }
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        self.input = None;
        // The process ends with its input; nothing can be done where it does not.
        let _ = self.process.wait();
    }
}

impl Machine for Ground {
    fn identity(&self) -> u64 {
        self.identity
    }

    fn limits(&mut self) -> Result<Limits, CudaError> {
        Ok(Limits {
            name: "test ground".to_owned(),
            shared_per_block: self.shared_per_block,
            shared_per_multiprocessor: 64 << 10,
            multiprocessors: 1,
            free: 1 << 30,
        })
    }

    fn reserve(&mut self, bytes: usize) -> Result<Memory, CudaError> {
        self.send("reserve", &[b"A", &(bytes as u64).to_le_bytes()])?;
        self.confirmed("reserve")?;
        self.reserved += 1;
        Ok(Memory { machine: self.identity, number: self.reserved - 1, bytes })
    }

    fn write(&mut self, to: Memory, bytes: &[u8]) -> Result<(), CudaError> {
        let (number, offset, length) =
            (to.number.to_le_bytes(), 0_u64.to_le_bytes(), (bytes.len() as u64).to_le_bytes());
        self.send("write", &[b"W", &number, &offset, &length, bytes])?;
        self.confirmed("write")
    }

    fn read(&mut self, from: Memory, into: &mut [u8]) -> Result<(), CudaError> {
        let (number, offset, length) =
            (from.number.to_le_bytes(), 0_u64.to_le_bytes(), (into.len() as u64).to_le_bytes());
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
                    assert_eq!(memory.machine, self.identity, "memory of another machine");
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

/// The names of the kernels that a source declares: `extern "C" __global__ … NAME(`, or the first argument of a macro in
/// capitals that makes one.
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

/// Compiles a module for the ground; the program is kept under a name that holds the hash of all that it is made from.
fn compile(sources: &Path, scratch: &Path, module: Module, ways: Ways) -> Result<PathBuf, String> {
    let read = |path: PathBuf| std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()));
    let kernel_source = read(sources.join("cuda").join(format!("{}.cu", module.name())))?;
    let mut files = vec![(format!("{}.cu", module.name()), kernel_source)];
    for (folder, ending) in [("cuda", "cuh"), ("ground", "hpp")] {
        let entries = std::fs::read_dir(sources.join(folder)).map_err(|error| error.to_string())?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|found| found == ending));
        paths.sort();
        for path in paths {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            files.push((name, read(path)?));
        }
    }
    if let Some((what, by)) = ways.change {
        let places: usize = files.iter().map(|(_, text)| text.matches(what).count()).sum();
        if places != 1 {
            return Err(format!("the text to change occurs {places} times in the kernels"));
        }
        for (_, text) in &mut files {
            *text = text.replace(what, by);
        }
    }
    let names: Vec<String> = kernels(&files[0].1).iter().map(|name| format!("KERNEL({name})")).collect();
    let main = format!(
        "#define __CUDA_ARCH__ {}\n#include \"ground.hpp\"\n#include \"{}\"\n#define KERNELS {}\n#include \"main.hpp\"\n",
        ways.architecture,
        files[0].0,
        names.join(" ")
    );
    files.push(("main.cpp".to_owned(), main));
    build(scratch, &files, ways.sanitized)
}

fn build(scratch: &Path, files: &[(String, String)], sanitized: bool) -> Result<PathBuf, String> {
    if !cfg!(unix) {
        return Err("the test ground needs a Unix".to_owned());
    }
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let mut options =
        vec!["-std=c++17", "-O1", "-g", "-fno-strict-aliasing", "-Wall", "-Wno-unknown-pragmas", "-Werror"];
    if sanitized {
        options.push("-fsanitize=address,undefined");
        options.push("-fno-sanitize-recover=undefined");
    }
    let mut hasher = DefaultHasher::new();
    (&compiler, &options, files).hash(&mut hasher);
    let program = scratch.join(format!("ground-{:016x}", hasher.finish()));
    if program.exists() {
        return Ok(program);
    }
    // Each test thread compiles in a folder of its own; the finished program is moved into place.
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = scratch.join(format!("ground-{}-{number}", std::process::id()));
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
