# Sourced by the scripts beside it and by .ci/run: goes to the root of the repository, says what is done, and on
# failure says how to repeat it.

shared="$(readlink -f "${BASH_SOURCE[0]}")"
root="$(cd "$(dirname "$shared")/.." && pwd -P)"
command_line="$(readlink -f "$0")$([ $# -eq 0 ] || printf ' %q' "$@")"
cd "$root"

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
