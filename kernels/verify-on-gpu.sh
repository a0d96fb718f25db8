#!/usr/bin/env bash
# Verifies the kernels on a machine with an NVIDIA GPU, with programs that were built elsewhere; no cargo is needed there.
#
#     kernels/verify-on-gpu.sh AGREE [PROGRAM]
#
# AGREE is the test program of tests/, PROGRAM is gridwright (for resources and measurements). Build them with:
#
#     cargo build --release
#     cargo test --release -p gridwright-tests --no-run     # names target/release/deps/all-*
#
# Steps, chosen by STEPS (default: agree sanitize resources):
#     agree      runs the ignored tests cuda_walks_the_path_of_the_cpu*: equal digests on CPU and CUDA; with GRIDWRIGHT_DATA also on published instances
#     sanitize   runs cuda_runs_every_kernel_on_a_tiny_instance* under compute-sanitizer: memcheck, racecheck, synccheck, initcheck;
#                TOGETHER=1 runs the four tools at the same time
#     resources  prints registers, spills and occupancy of every kernel
#     bench      measures the stages of the evolutionary algorithm
#     speed      measures layouts, binary problems and flow shops
#     plans      solves the published layouts in $GRIDWRIGHT_DATA/flp
#
# Every step writes its report to $OUT (default: out/verify), which also gets device.txt, summary.txt and verified.ron. All steps together take at
# most LIMIT seconds (default: 540); a step that is cut off counts as failed. The exit code is 0 if every step has passed.
set -uo pipefail
cd "$(dirname "$0")/.."

agree="${1:?name the test program of tests/, target/release/deps/all-*}"
program="${2:-}"
out="${OUT:-out/verify}"
steps="${STEPS:-agree sanitize resources}"
limit="${LIMIT:-540}"
mkdir -p "$out"
: >"$out/summary.txt"
# Results of checks that run at the same time come together in files.
results="$(mktemp -d)"
trap 'rm -rf "$results"' EXIT
failed=0

step() { [[ " $steps " == *" $1 "* ]]; }

say() { echo "$*" | tee -a "$out/summary.txt"; }

fail() {
    say "FAILED  $*"
    touch "$results/failed"
}

# Runs a command within the remaining time; its output is the report of this name.
check() {
    local name="$1" began=$SECONDS left=$((limit - SECONDS)) status=0
    shift
    if [ "$left" -le 0 ]; then
        fail "$name: not run, the $limit s were used up"
        return
    fi
    timeout "$left" "$@" >"$out/$name.txt" 2>&1 || status=$?
    if [ "$status" = 0 ]; then
        say "passed  $name ($((SECONDS - began)) s)"
        touch "$results/passed-$name"
    elif [ "$status" = 124 ]; then
        fail "$name: cut off after $left s, see $out/$name.txt"
    else
        fail "$name ($((SECONDS - began)) s), see $out/$name.txt"
        tail -n 15 "$out/$name.txt"
    fi
}

# Runs the ignored tests whose names contain the last argument, which has to match at least one test.
tests() {
    local name="$1" filter="${*: -1}"
    check "$name" "${@:2:$#-2}" "$agree" --nocapture --include-ignored "$filter"
    if [ -e "$results/passed-$name" ] && grep -q "running 0 tests" "$out/$name.txt"; then
        rm "$results/passed-$name"
        fail "$name: $agree has no test $filter"
    fi
}

nvidia-smi --query-gpu=name,driver_version,compute_cap,memory.total --format=csv,noheader | tee "$out/device.txt"
[ -s "$out/device.txt" ] || fail "nvidia-smi reports no device"

if step agree; then
    tests agree cuda_walks_the_path_of_the_cpu
fi

if step sanitize; then
    sanitizer="$(command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | head -n 1)"
    if [ -z "$sanitizer" ]; then
        fail "sanitize: there is no compute-sanitizer"
    else
        for tool in memcheck racecheck synccheck initcheck; do
            # One test at a time: racecheck loses track of launches of several threads.
            run=(tests "$tool" env RUST_TEST_THREADS=1 "$sanitizer" --tool "$tool" --error-exitcode 9 cuda_runs_every_kernel_on_a_tiny_instance)
            if [ -n "${TOGETHER:-}" ]; then "${run[@]}" & else "${run[@]}"; fi
        done
        wait
    fi
fi

if [ -n "$program" ]; then
    if step resources; then
        check resources "$program" devices --verbose
        cat "$out/resources.txt"
    fi
    if step bench; then
        # A few generations suffice: the time of a generation varies by some per cent.
        check bench "$program" bench timetabling --suite evolution-stages --generations "${GENERATIONS:-20}" \
            ${BENCH_ARGUMENTS:-}
        cat "$out/bench.txt"
    fi
    if step speed; then
        check speed-facility "$program" bench facility --seconds "${SECONDS_EACH:-4}"
        check speed-systolic "$program" bench systolic --seconds "${SECONDS_EACH:-4}"
        check speed-wavefront "$program" bench flowshop --suite wavefront
        check speed-insertion "$program" bench flowshop --suite insertion --seconds 1
        check speed-neighbourhoods "$program" bench flowshop --suite neighbourhoods
        check speed-fronts "$program" bench flowshop --tables --iterations "${ITERATIONS:-200}"
        cat "$out"/speed-*.txt
    fi
    if step plans; then
        for name in AB20-ar03 AB20-ar05 AB20-ar10 AB20-ar15 AB20-ar50 BA12 BA14 SC30 SC35 Du62; do
            "$program" solve "$GRIDWRIGHT_DATA/flp/$name.json" --backend cuda --seconds "${SECONDS_EACH:-10}" \
                --out "$out/$name.ron" --json --quiet >"$out/plan-$name.json" 2>"$out/plan-$name.err" || cat "$out/plan-$name.err"
            python3 -c "import json, sys; run = json.load(open(sys.argv[1])); print(sys.argv[2], run['cost'], run['feasible'], run['seconds'], run['evaluations'])" \
                "$out/plan-$name.json" "$name"
        done
    fi
fi

passed=()
for name in agree memcheck racecheck synccheck initcheck resources bench; do
    [ -e "$results/passed-$name" ] && passed+=("$name")
done
[ -e "$results/failed" ] && failed=1
{
    echo '// Last verification on a device: `kernels/verify-on-gpu.sh` writes this file, `ptx_is_fresh` reports modules whose sources have changed since.'
    echo '['
    echo '    ('
    echo '        // Hash of the sources and name of each module, as `make_ptx.py --hash` prints them.'
    echo '        sources: ['
    python3 kernels/make_ptx.py --hash | sed 's/.*/            "&",/'
    echo '        ],'
    echo "        device: \"$(head -n 1 "$out/device.txt")\","
    echo "        date: \"$(date -u +%F)\","
    echo "        passed: \"${passed[*]:-nothing}\","
    echo '    ),'
    echo ']'
} >"$out/verified.ron"
cat "$out/verified.ron"
[ "$failed" = 0 ] && say "all steps passed; copy $out/verified.ron to kernels/verified.ron"
exit "$failed"
