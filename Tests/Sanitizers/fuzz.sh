# Sourced by Tests/run: inputs that are nearly right, for as long as is asked for.

build_fuzz() { # folder, flags…
  local scratch="$1"; shift
  mkdir -p "$scratch"
  say "Build of BridgeFuzz"
  swift build -c release --product BridgeFuzz --scratch-path "$scratch" "$@" >"$scratch/build.log" 2>&1 ||
    { grep -E 'error:' "$scratch/build.log"; return 1; }
}

fuzz() { # count, seed
  build_fuzz "$PWD/.build" || return 1
  say "Codecs and sessions, seed $2"
  .build/release/BridgeFuzz --count "$1" --seed "$2" || return 1
  say "A server, seed $2"
  .build/release/BridgeFuzz --target server --count $(($1 / 1000 + 1)) --seed "$2"
}

libfuzzer() { # seconds, seed
  local scratch="$PWD/.build/libfuzzer" target fuzz status=0
  build_fuzz "$scratch" --sanitize fuzzer -Xswiftc -DLIBFUZZER || return 1
  fuzz="$scratch/release/BridgeFuzz"
  for target in $("$fuzz" --list | grep -v '^server$'); do
    say "libFuzzer: $target"
    # Where the generators can get to; what libFuzzer finds beyond that is kept for the next time.
    [ -d "$scratch/$target" ] || "$fuzz" --target "$target" --corpus "$scratch/$target" --count 500 --seed "$2"
    "$fuzz" --target "$target" --libfuzzer "$scratch/$target" -max_total_time="$1" -max_len=4096 -timeout=30 \
      -artifact_prefix="$scratch/$target-" -verbosity=0 -print_final_stats=1 || status=1
  done
  return $status
}
