#!/usr/bin/env python3
"""Compiles kernels/cuda/*.cu to kernels/ptx/*.ptx with NVRTC, which is fetched from PyPI; no CUDA toolkit is needed.

    kernels/make_ptx.py            writes the PTX
    kernels/make_ptx.py --check    fails where the PTX in the repository differs by a byte
    kernels/make_ptx.py --hash     prints the hash of every module's sources

The compiler is pinned, so the output is the same on every machine. The first line of each PTX holds the hash of the `.cu`
file and of the headers that it includes, directly or through other headers; `cargo test` compares this hash with the
sources and needs no compiler.
"""

import ctypes
import hashlib
import pathlib
import re
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
CACHE = HERE.parent / ".cache" / "nvrtc"
PACKAGE, VERSION = "nvidia-cuda-nvrtc-cu12", "12.0.140"
# Compute capabilities that PTX is made for. 7.5 (Turing) is the oldest supported one. 8.0 has a minimum over a warp in
# hardware (evolution, seating), 9.0 has additions and maxima of two 16-bit numbers in one instruction (front).
ARCHITECTURES = {
    "annealing": (75,),
    "evolution": (75, 80),
    "makespan": (75,),
    "facility": (75,),
    "front": (75, 90),
    "greedy": (75,),
    "seating": (75, 80),
    "systolic": (75,),
    "baselines": (75,),
}
OPTIONS = ("--std=c++17", "--fmad=false")


def nvrtc() -> ctypes.CDLL:
    """Loads the pinned compiler, which is fetched once into the ignored folder .cache/."""
    folder = CACHE / VERSION
    library = folder / "nvidia" / "cuda_nvrtc" / "lib" / "libnvrtc.so.12"
    if not library.exists():
        folder.mkdir(parents=True, exist_ok=True)
        fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        subprocess.run([*fetch, f"{PACKAGE}=={VERSION}", "--dest", str(folder)], check=True)
        for wheel in folder.glob("*.whl"):
            zipfile.ZipFile(wheel).extractall(folder)
            wheel.unlink()
    # The compiler looks for this library by name, so it has to be loaded first.
    ctypes.CDLL(str(library.with_name("libnvrtc-builtins.so.12.0")), mode=ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(str(library))


def sources(kernel: pathlib.Path) -> list[pathlib.Path]:
    """The kernel file, then the headers that it includes directly or through other headers, by name."""
    headers, unread = set(), [kernel]
    while unread:
        for name in re.findall(r'^#include "(.+)"$', unread.pop().read_text(encoding="utf-8"), re.MULTILINE):
            header = kernel.with_name(name)
            if header not in headers:
                headers.add(header)
                unread.append(header)
    return [kernel, *sorted(headers)]


def source_hash(kernel: pathlib.Path) -> str:
    """SHA-256 over name, length and content of every source."""
    digest = hashlib.sha256()
    for path in sources(kernel):
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def first_line(kernel: pathlib.Path, architecture: int) -> str:
    """First line of a PTX: hash of the sources, compiler and options."""
    options = " ".join(OPTIONS)
    return f"// sources sha256:{source_hash(kernel)}, nvrtc {VERSION}, compute_{architecture} {options}\n"


def compile_ptx(compiler: ctypes.CDLL, kernel: pathlib.Path, architecture: int) -> bytes:
    """Returns the PTX of one kernel file for one compute capability."""
    headers = sources(kernel)[1:]
    texts = (ctypes.c_char_p * len(headers))(*[path.read_bytes() for path in headers])
    names = (ctypes.c_char_p * len(headers))(*[path.name.encode() for path in headers])
    program = ctypes.c_void_p()
    check(compiler.nvrtcCreateProgram(
        ctypes.byref(program), kernel.read_bytes(), kernel.name.encode(), len(headers), texts, names))
    arguments = [f"--gpu-architecture=compute_{architecture}", *OPTIONS]
    options = (ctypes.c_char_p * len(arguments))(*[argument.encode() for argument in arguments])
    failed = compiler.nvrtcCompileProgram(program, len(arguments), options)
    size = ctypes.c_size_t()
    check(compiler.nvrtcGetProgramLogSize(program, ctypes.byref(size)))
    log = ctypes.create_string_buffer(size.value)
    check(compiler.nvrtcGetProgramLog(program, log))
    if log.value.strip():
        print(log.value.decode(), file=sys.stderr)
    if failed:
        sys.exit(f"error: {kernel} does not compile")
    check(compiler.nvrtcGetPTXSize(program, ctypes.byref(size)))
    ptx = ctypes.create_string_buffer(size.value)
    check(compiler.nvrtcGetPTX(program, ptx))
    check(compiler.nvrtcDestroyProgram(ctypes.byref(program)))
    return first_line(kernel, architecture).encode() + ptx.value


def check(status: int) -> None:
    """Ends the program if NVRTC reports an error."""
    if status:
        sys.exit(f"error: NVRTC reports status {status}")


def main() -> None:
    """Writes the PTX, compares it (--check) or prints hashes (--hash)."""
    mode = sys.argv[1] if len(sys.argv) > 1 else ""
    if mode not in ("", "--check", "--hash"):
        sys.exit(__doc__)
    kernels = sorted(HERE.glob("cuda/*.cu"))
    if mode == "--hash":
        for kernel in kernels:
            print(source_hash(kernel), kernel.name)
        return
    compiler = nvrtc()
    stale = []
    for kernel in kernels:
        for architecture in ARCHITECTURES[kernel.stem]:
            target = HERE / "ptx" / f"{kernel.stem}.compute_{architecture}.ptx"
            ptx = compile_ptx(compiler, kernel, architecture)
            if mode == "--check":
                if not target.exists() or target.read_bytes() != ptx:
                    stale.append(target.name)
            else:
                target.write_bytes(ptx)
                print(f"{target.relative_to(HERE.parent)}: {len(ptx)} bytes")
    if stale:
        sys.exit(f"error: {', '.join(stale)} differ from what the sources compile to; run kernels/make_ptx.py")


if __name__ == "__main__":
    main()
