#!/usr/bin/env bash
# shards.sh N OUT INPUT… [-- OPTIONS…]: N shards of a batch side by side, as many at a time as there are cores, with
# nothing but xargs; run it again after a crash and it goes on. NPSNET names the program (default: npsnet batch). In a Slurm array the middle line is the job:
#   npsnet batch INPUT… --out OUT/shard-$SLURM_ARRAY_TASK_ID --shard $SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT
set -euo pipefail
read -ra npsnet <<<"${NPSNET:-npsnet batch}"
n=$1 out=$2
shift 2
inputs=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do inputs+=("$1"); shift; done
[ $# -gt 0 ] && shift
cores=$(nproc)
seq "$n" | xargs -P "$((n < cores ? n : cores))" -I{} "${npsnet[@]}" "${inputs[@]}" --out "$out/shard-{}" --shard "{}/$n" "$@"
"${npsnet[@]}" merge $(seq -f "$out/shard-%g" "$n") --out "$out"
