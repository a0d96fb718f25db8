#!/usr/bin/env bash
# Verifies the kernels on a machine with an NVIDIA GPU, with programs that were built elsewhere: no cargo is needed there.
#
#     kernels/verify-on-gpu.sh AGREE [PROGRAM]
#
# AGREE is the test program of tests/tests/backends_agree, PROGRAM is gridwright (for times and resources). Build them so:
#
#     cargo build --release
#     cargo test --workspace --release --no-run --test backends_agree     # target/release/deps/backends_agree-*
#
# Reports go to the folder $OUT (default: out/verify). With GRIDWRIGHT_DATA set, published instances are compared, too.
# STEPS chooses from: agree sanitize resources bench speed plans (default: all but the last). `speed` measures layouts, binary problems
# and flow shops, `plans` solves published layouts in $GRIDWRIGHT_DATA/flp.
set -uo pipefail
cd "$(dirname "$0")/.."

agree="${1:?name the test program of backends_agree}"
program="${2:-}"
out="${OUT:-out/verify}"
steps="${STEPS:-agree sanitize resources bench speed}"
mkdir -p "$out"
failed=0
passed=()

step() { [[ " $steps " == *" $1 "* ]]; }

# Runs a command into its own report and remembers whether it passed.
check() {
    local name="$1"
    shift
    local began=$SECONDS
    if "$@" >"$out/$name.txt" 2>&1; then
        passed+=("$name")
        echo "passed  $name ($((SECONDS - began)) s)"
    else
        failed=1
        echo "FAILED  $name ($((SECONDS - began)) s), see $out/$name.txt"
        tail -n 15 "$out/$name.txt"
    fi
}

nvidia-smi --query-gpu=name,driver_version,compute_cap,memory.total --format=csv,noheader | tee "$out/device.txt"

if step agree; then
    check agree "$agree" --nocapture cuda_walks_the_path_of_the_cpu
    # A device that was not found is no success here.
    if grep -q "not run on a device" "$out/agree.txt"; then
        echo "FAILED  agree: no device was used"
        failed=1
    fi
fi

if step sanitize; then
    sanitizer="$(command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | head -n 1)"
    if [ -z "$sanitizer" ]; then
        echo "skipped sanitize: there is no compute-sanitizer"
    else
        for tool in memcheck racecheck synccheck initcheck; do
            check "$tool" "$sanitizer" --tool "$tool" --error-exitcode 9 \
                "$agree" --nocapture cuda_runs_every_kernel_on_a_tiny_instance
        done
    fi
fi

if [ -n "$program" ]; then
    if step resources; then
        check resources "$program" devices --verbose
        cat "$out/resources.txt"
    fi
    if step bench; then
        # A few generations suffice: a device's generation varies by some per cent.
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

hash="$(python3 kernels/make_ptx.py --hash | cut -d' ' -f1 | paste -sd' ' -)"
cat >"$out/verified.ron" <<RON
// What has run on a device: \`kernels/verify-on-gpu.sh\` writes an entry, \`ptx_is_fresh\` says whether the sources are the same.
[
    (
        sources: "$hash",
        device: "$(head -n 1 "$out/device.txt")",
        date: "$(date -u +%F)",
        passed: "${passed[*]:-nothing}",
    ),
]
RON
cat "$out/verified.ron"
[ "$failed" = 0 ] && echo "copy $out/verified.ron to kernels/verified.ron"
exit "$failed"
