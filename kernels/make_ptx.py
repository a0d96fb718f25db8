#!/usr/bin/env python3
"""Compiles kernels/cuda/*.cu to kernels/ptx/*.ptx with NVRTC, which is fetched from PyPI; no CUDA toolkit is needed.

    kernels/make_ptx.py            writes the PTX
    kernels/make_ptx.py --check    fails where the PTX in the repository differs by a byte
    kernels/make_ptx.py --hash     prints the hash of every source, as the first line of its PTX has it

The compiler is pinned, so the output is the same on every machine. Its first line names the hash of what it was made
from: `cargo test` compares that with the sources, and so needs no compiler.
"""

import ctypes
import hashlib
import pathlib
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
CACHE = HERE.parent / ".cache" / "nvrtc"
PACKAGE, VERSION = "nvidia-cuda-nvrtc-cu12", "12.0.140"
# Compute capabilities that PTX is made for: Turing and newer. Ampere and newer have a minimum over a warp in hardware,
# which the evolutionary algorithm uses.
# Hopper and newer compute with two numbers of 16 bits at once, which the exploration of neighbourhoods uses.
ARCHITECTURES = {
    "annealing": (75,),
    "evolution": (75, 80),
    "makespan": (75,),
    "facility": (75,),
    "front": (75, 90),
    "greedy": (75,),
    "systolic": (75,),
    "rivals": (75,),
}
OPTIONS = ("--std=c++17", "--fmad=false")


def nvrtc() -> ctypes.CDLL:
    """The pinned compiler, fetched once into the ignored folder .cache/."""
    folder = CACHE / VERSION
    library = folder / "nvidia" / "cuda_nvrtc" / "lib" / "libnvrtc.so.12"
    if not library.exists():
        folder.mkdir(parents=True, exist_ok=True)
        fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        # The wheel is named for every Linux; on other systems it is good for nothing but its checksum.
        subprocess.run([*fetch, f"{PACKAGE}=={VERSION}", "--dest", str(folder)], check=True)
        for wheel in folder.glob("*.whl"):
            zipfile.ZipFile(wheel).extractall(folder)
            wheel.unlink()
    # Loaded first, because the compiler looks for it by name.
    ctypes.CDLL(str(library.with_name("libnvrtc-builtins.so.12.0")), mode=ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(str(library))


def sources(kernel: pathlib.Path) -> list[pathlib.Path]:
    """A kernel file and all headers: every change of a header concerns every kernel."""
    return [kernel, *sorted(HERE.glob("cuda/*.cuh"))]


def source_hash(kernel: pathlib.Path) -> str:
    """SHA-256 over name, length and content of every source."""
    digest = hashlib.sha256()
    for path in sources(kernel):
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def first_line(kernel: pathlib.Path, architecture: int) -> str:
    """What tests compare: sources, compiler and options."""
    options = " ".join(OPTIONS)
    return f"// sources sha256:{source_hash(kernel)}, nvrtc {VERSION}, compute_{architecture} {options}\n"


def compile_ptx(compiler: ctypes.CDLL, kernel: pathlib.Path, architecture: int) -> bytes:
    """The PTX of one kernel file for one architecture."""
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
    """Ends the program where the compiler reports an error."""
    if status:
        sys.exit(f"error: NVRTC reports status {status}")


def main() -> None:
    """Writes, compares or prints."""
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
