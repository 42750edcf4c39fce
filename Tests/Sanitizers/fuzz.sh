# Sourced by Tests/run: inputs that are nearly right, for as long as is asked for.

build_fuzz() { # folder, flags…
  local scratch="$1"; shift
  mkdir -p "$scratch"
  say "Build of BridgeFuzz"
  swift build -c release --product BridgeFuzz --scratch-path "$scratch" "$@" >"$scratch/build.log" 2>&1 ||
    { grep -E 'error:' "$scratch/build.log" || tail -n 20 "$scratch/build.log"; return 1; }
}

fuzz() { # count, seed
  build_fuzz "$PWD/.build" || return 1
  say "Codecs and sessions, seed $2"
  .build/release/BridgeFuzz --count "$1" --seed "$2" || return 1
  say "A server, seed $2"
  .build/release/BridgeFuzz --target server --count $(($1 / 1000 + 1)) --seed "$2"
}

libfuzzer() { # seconds, seed
  local scratch="$PWD/.build/libfuzzer" target fuzz driver cpp=stdc++ status=0
  # The driver alone: the one that `--sanitize fuzzer` links has a `main` of its own, and so would every tool of the build.
  driver=$(find "$(dirname "$(readlink -f "$(command -v swiftc)")")/../lib/clang" -name 'libclang_rt.fuzzer_no_main*.a' 2>/dev/null | head -n 1) || true
  [ -n "$driver" ] || { echo "This toolchain has no libFuzzer."; return 1; }
  [ "$(uname)" = Linux ] || cpp=c++
  build_fuzz "$scratch" --sanitize address -Xswiftc -DLIBFUZZER \
    -Xswiftc -sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp -Xlinker "$driver" -Xlinker "-l$cpp" || return 1
  fuzz="$scratch/release/BridgeFuzz"
  export LSAN_OPTIONS="suppressions='$PWD/Tests/Sanitizers/leak.txt' print_suppressions=0"
  # Else Swift takes the signal of a trap, and libFuzzer does not keep the input.
  export SWIFT_BACKTRACE=enable=no
  for target in $("$fuzz" --list | grep -v '^server$'); do
    say "libFuzzer: $target"
    # Where the generators can get to; what libFuzzer finds beyond that is kept for the next time.
    [ -d "$scratch/$target" ] || "$fuzz" --target "$target" --corpus "$scratch/$target" --count 500 --seed "$2"
    "$fuzz" --target "$target" --libfuzzer "$scratch/$target" -max_total_time="$1" -max_len=4096 -timeout=30 \
      -artifact_prefix="$scratch/$target-" -verbosity=0 -print_final_stats=1 || status=1
  done
  return $status
}
