#!/usr/bin/env bash
# run.sh BUILD [SECONDS]: every harness for that long, from the seeds of the test data.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
seconds=${2:-600}
# The SDK's libraries are not instrumented: containers that cross the border look overflown to ASan.
export ASAN_OPTIONS=detect_container_overflow=0:detect_leaks=1:allocator_may_return_null=1
for harness in fuzzModelFile fuzzTables; do
  corpus=$build/fuzz/$harness
  mkdir -p "$corpus"
  case $harness in
    fuzzModelFile) find "$here/../Data" \( -name '*.pth' -o -name '*.safetensors' \) -size -4M -exec cp -n {} "$corpus" \; ;;
    fuzzTables)
      find "$here/../.." -name '*.csv' -not -path '*/build*' -size -64k -exec cp -n {} "$corpus" \;
      printf '%s\n' '{"npsnet_batch":1,"settings":"s","columns":["name"],"shard":[1,1],"inputs":1,"selected":1,"digest":"1"}' \
        '{"name":"a","stamp":"","cells":["a"]}' >"$corpus/journal"
      ;;
  esac
  printf 'fuzzing %s for %s s\n' "$harness" "$seconds"
  "$build/bin/$harness" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$corpus-" "$corpus" 2>&1 | tail -n 3
done
