# Sourced by Tests/run: the Swift tests under a sanitizer, in a build folder of its own.

sanitize() { # thread | address
  local sanitizer="$1" scratch="$PWD/.build/$1" flags=()
  # Not run: what needs other programs; and what tries how little stack is enough, for a sanitizer's frames take several
  # times as much as those that the limits are made for.
  local skip=(--skip ExternalTests --skip ASmallStack)
  # Reports go to files, a process one: those of the command that tests start are not lost, and no test reads them for
  # what it prints.
  local common="log_path='$scratch/report' exitcode=66" status=0
  mkdir -p "$scratch"
  rm -f "$scratch"/report.*
  flags=(--sanitize "$sanitizer" --scratch-path "$scratch")
  if [ "$sanitizer" = thread ]; then
    if [ "$(uname)" = Linux ]; then
      teach_mutex "$scratch" || return 1
      flags+=(-Xlinker "$scratch/mutex.o")
    fi
    export TSAN_OPTIONS="$common suppressions='$PWD/Tests/Sanitizers/thread.txt'"
  else
    # In the tests' own process what a test leaves unfinished is there to the end. The command, which they start, is looked
    # through when it ends (BridgeCommandTests/Tool.swift).
    export ASAN_OPTIONS="$common detect_leaks=0 detect_stack_use_after_return=1 suppressions='$PWD/Tests/Sanitizers/address.txt'"
    export LSAN_OPTIONS="suppressions='$PWD/Tests/Sanitizers/leak.txt' print_suppressions=0"
  fi
  say "Build for the $sanitizer sanitizer"
  swift build --build-tests "${flags[@]}" >"$scratch/build.log" 2>&1 ||
    { grep -E 'error:' "$scratch/build.log" || tail -n 20 "$scratch/build.log"; return 1; }
  say "Swift tests under the $sanitizer sanitizer"
  # One after another: a sanitizer makes each several times slower, and their time limits are for one at a time.
  swift test --skip-build "${flags[@]}" "${skip[@]}" --no-parallel 2>&1 | tee "$scratch/test.log" || status=1
  local reports=("$scratch"/report.*)
  if [ -e "${reports[0]}" ]; then
    cat "${reports[@]}"
    echo "The $sanitizer sanitizer reports the above, in ${#reports[@]} processes."
    status=1
  fi
  return $status
}

# Compiles what makes `Mutex` known to the thread sanitizer, and makes sure of it: a correct program passes, and a race
# is still found.
teach_mutex() { # folder
  local clang; clang="$(dirname "$(readlink -f "$(command -v swiftc)")")/clang"
  "$clang" -O1 -Wall -Werror -c Tests/Sanitizers/MutexForThreadSanitizer.c -o "$1/mutex.o" || return 1
  local program
  for program in Correct Racy; do
    swiftc -swift-version 6 -sanitize=thread "Tests/Sanitizers/$program.swift" "$1/mutex.o" -o "$1/$program" || return 1
  done
  "$1/Correct" >"$1/correct.log" 2>&1 || { echo "A correct program is reported:"; cat "$1/correct.log"; return 1; }
  if "$1/Racy" >"$1/racy.log" 2>&1; then echo "A race is not found."; return 1; fi
  grep -q 'WARNING: ThreadSanitizer' "$1/racy.log" || { echo "A race is not reported:"; cat "$1/racy.log"; return 1; }
}
