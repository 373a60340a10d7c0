# Sourced by the scripts beside it and by .ci/run: goes to the root of the repository, says what is done, and on
# failure says how to repeat it.

shared="$(readlink -f "${BASH_SOURCE[0]}")"
root="$(cd "$(dirname "$shared")/.." && pwd -P)"
caller="$PWD"
command_line="$(readlink -f "$0")$([ $# -eq 0 ] || printf ' %q' "$@")"
cd "$root"

# Prints the absolute path of a file, which is relative to the folder in which the script was called.
absolute() { case "$1" in /*) echo "$1" ;; *) echo "$caller/$1" ;; esac }

say() { printf '==> %s\n' "$*"; }

# Ends the script with what is wrong and the way out, a line each.
fail() {
  printf '%s\n' "error: $1" >&2
  shift
  [ $# -eq 0 ] || printf '       %s\n' "$@" >&2
  exit 1
}

say_how_to_repeat() {
  local status=$?
  [ $status -eq 0 ] || printf '\nFailed with exit code %d. To repeat:\n  %s\n' $status "$command_line" >&2
}
trap say_how_to_repeat EXIT

# Prints the path of a tool of the Swift toolchain. The tools are beside the compiler; on macOS xcrun knows where.
tool() {
  local beside
  beside="$(dirname "$(readlink -f "$(command -v swift)")")/$1"
  if [ -x "$beside" ]; then
    echo "$beside"
  elif command -v xcrun > /dev/null && xcrun --find "$1" 2> /dev/null; then
    return
  else
    fail "'$1' is not there." "It is part of the Swift toolchain, see https://www.swift.org/install."
  fi
}

# Builds of everything compile most modules once more for the plugins. scripts/embed needs them.
export RECORDSPEC_WITHOUT_PLUGINS=1

# Builds recordspec as the tests do, and sets `recordspec` to its path.
build_recordspec() {
  say "Building recordspec"
  swift build --product recordspec
  recordspec="$(swift build --show-bin-path)/recordspec"
}

# Builds recordspec in release, and sets `recordspec` to its path.
build_release() {
  release_options
  say "Building recordspec in release"
  swift build "${options[@]}" --product recordspec
  recordspec="$(swift build "${options[@]}" --show-bin-path)/recordspec"
}

# Sets `options` to those of a release build. On Linux Swift's libraries are linked statically, if the toolchain has them, so
# that a program starts faster, and runs without a Swift toolchain and below valgrind.
release_options() {
  options=(--configuration release)
  if [ "$(uname -s)" != Darwin ] && [ -f "$(static_library CFURLSessionInterface)" ]; then
    replace_curl
    options+=(--static-swift-stdlib -Xlinker "-L$root/.build/replaced-curl")
  fi
}

# Prints the path of a static library of the toolchain, which may not have it.
static_library() { echo "$(dirname "$(tool swift)")/../lib/swift_static/linux/lib_$1.a"; }

# Creates a library with the functions of libcurl that FoundationNetworking names. FlyingFox links FoundationNetworking for a
# proxy, which recordspec does not use: without this library, every user of recordspec would need libcurl.
replace_curl() {
  local folder="$root/.build/replaced-curl" interface
  interface="$(static_library CFURLSessionInterface)"
  mkdir -p "$folder"
  command -v nm > /dev/null && command -v ar > /dev/null || fail "'nm' or 'ar' is missing." "Install binutils."
  nm --undefined-only "$interface" 2> /dev/null | sed -nE 's/^ *U (curl_[a-z_]+)$/void \1(void) { __builtin_trap(); }/p' \
    | sort -u | "$(tool clang)" -x c -c -o "$folder/curl.o" -
  rm -f "$folder/libcurl.a"
  ar rcs "$folder/libcurl.a" "$folder/curl.o"
}

# Prints the first of some commands that exists.
first_of() {
  local name
  for name in "$@"; do
    if command -v "$name"; then return; fi
  done
}

# Sets `python` to a Python with Selenium, and `chromium` and `driver` to the programs that it controls. Installs them on Debian.
find_browser() {
  if command -v apt-get > /dev/null; then
    # The package of Selenium belongs to the Python of the system, which need not be the first on the PATH.
    scripts/setup chromium chromedriver=chromium-driver python:selenium=python3-selenium
    python=/usr/bin/python3
  else
    python="$(first_of python3)"
    [ -n "$python" ] || fail "python3 is missing." "Install it, and try again."
    "$python" -c "import selenium" 2> /dev/null || fail "Python has no Selenium." "Install it with: python3 -m pip install selenium"
  fi
  chromium="$(first_of chromium chromium-browser google-chrome google-chrome-stable \
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" "/Applications/Chromium.app/Contents/MacOS/Chromium")"
  [ -n "$chromium" ] || fail "Chromium is missing." \
    "Install it with the system's package manager, on macOS with: brew install --cask google-chrome chromedriver"
  driver="$(first_of chromedriver)"
  [ -n "$driver" ] || fail "ChromeDriver, which controls Chromium, is missing." \
    "Install it with the system's package manager, on macOS with: brew install --cask chromedriver"
}

# The libraries that users link, each with the modules that it re-exports.
libraries=(
  "RecordEngine JSONTree,RecordModel"
  "RecordEngineHTTP"
  "RecordSpec ScenarioFormat,ScenarioComparison,ScenarioRun,ScenarioReport"
  "RecordSpecAdapter"
  "RecordSpecTesting"
)
symbols="$root/.build/symbols"

# Options of the builds in which symbols are found. With those of an earlier build, nothing is built again.
build_options=()

# Builds a library and writes the symbol graphs of its public declarations to $symbols/MODULE:
# extract_symbols MODULE [REEXPORTED-MODULES]
extract_symbols() {
  local module="$1" extractor triple options=()
  extractor="$(tool swift-symbolgraph-extract)"
  triple="$(swift -print-target-info | sed -nE 's/^ *"triple": "([^"]+)".*/\1/p' | head -n 1)"
  [ -z "${2:-}" ] || options+=("-experimental-allowed-reexported-modules=$2")
  [ "$(uname -s)" != Darwin ] || options+=(-sdk "$(xcrun --show-sdk-path)")
  say "Building $module"
  swift build --target "$module" ${build_options[@]+"${build_options[@]}"}
  say "Extracting the symbols of $module"
  rm -rf "${symbols:?}/$module"
  mkdir -p "$symbols/$module"
  "$extractor" -module-name "$module" -target "$triple" -I "$(swift build --show-bin-path)/Modules" \
    -I Sources/RecordSpecLibYAML -I Sources/RecordEngineSQLite -I Sources/RecordEngineCurl/include \
    -minimum-access-level public -skip-synthesized-members -emit-extension-block-symbols \
    -output-dir "$symbols/$module" ${options[@]+"${options[@]}"}
}
