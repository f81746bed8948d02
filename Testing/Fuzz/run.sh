#!/usr/bin/env bash
# run.sh BUILD [SECONDS [HARNESS…]]: every harness (or those named) for that long, from seeds that are good files.
set -euo pipefail
shopt -s extglob
here=$(cd "$(dirname "$0")" && pwd)
build=$1
seconds=${2:-600}
# The SDK's libraries are not instrumented: containers that cross the border look overflown to ASan.
export ASAN_OPTIONS=detect_container_overflow=0:detect_leaks=1:allocator_may_return_null=1
harnesses=("${@:3}")
[ ${#harnesses[@]} -gt 0 ] || harnesses=(fuzzModelFile fuzzTables)
for harness in "${harnesses[@]}"; do
  corpus=$build/fuzz/$harness
  mkdir -p "$corpus"
  case $harness in
    fuzzModelFile) python3 "$here/seeds.py" "$corpus" ;;
    fuzzTables)
      find "$here/../.." -name '*.csv' -not -path '*/build*' -size -64k -exec cp -n {} "$corpus" \;
      printf '%s\n' '{"npsnet_batch":1,"settings":"s","columns":["name"],"shard":[1,1],"inputs":1,"selected":1,"digest":"1"}' \
        '{"name":"a","stamp":"","cells":["a"]}' >"$corpus/journal"
      ;;
  esac
  printf 'fuzzing %s for %s s\n' "$harness" "$seconds"
  "$build/bin/$harness" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$corpus-" \
    -print_final_stats=1 "$corpus" 2>&1 | grep -E "^(==|SUMMARY|stat::|Done)" || true
  if compgen -G "$corpus-@(crash|leak|oom|timeout)-*"; then
    exit 1 # that is what it found
  fi
done
