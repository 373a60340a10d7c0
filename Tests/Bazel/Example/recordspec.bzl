"""A test rule for suites of scenarios."""

def _quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"

def _recordspec_test_impl(ctx):
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(
        script,
        content = """#!/bin/sh
# Runs the suite on copies of its files: Bazel provides links, which lead out of the folder of the suite.
set -eu
recordspec="$PWD/"{recordspec}
suite="$TEST_TMPDIR/suite"
rm -rf "$suite"
mkdir -p "$suite"
cp -RL {package}/. "$suite"
cd "$suite"
export CI=true
# Bazel's protocol for test shards and results.
[ -z "${{TEST_SHARD_STATUS_FILE:-}}" ] || touch "$TEST_SHARD_STATUS_FILE"
[ -z "${{TEST_TOTAL_SHARDS:-}}" ] || set -- --shard "$((TEST_SHARD_INDEX + 1))/$TEST_TOTAL_SHARDS" "$@"
[ -z "${{XML_OUTPUT_FILE:-}}" ] || set -- --report "junit=$XML_OUTPUT_FILE" "$@"
exec "$recordspec" run "$@"
""".format(
            recordspec = _quoted(ctx.file.recordspec.short_path),
            package = _quoted(ctx.label.package or "."),
        ),
        is_executable = True,
    )
    files = ctx.files.data + [ctx.file.recordspec]
    return [DefaultInfo(executable = script, runfiles = ctx.runfiles(files = files))]

recordspec_test = rule(
    implementation = _recordspec_test_impl,
    test = True,
    doc = "Runs the scenarios in the folder 'Scenarios' of the package, or in that of '--scenarios' in 'args'.",
    attrs = {
        "data": attr.label_list(
            allow_files = True,
            mandatory = True,
            doc = "Scenarios, models, responses and golden files of the package, and '.recordspec.yaml' if there is one.",
        ),
        "recordspec": attr.label(
            allow_single_file = True,
            default = "@recordspec//:recordspec",
            doc = "The command.",
        ),
    },
)

def _recordspec_repository_impl(ctx):
    path = ctx.os.environ.get("RECORDSPEC") or ctx.which("recordspec")
    if not path:
        fail("'recordspec' is not on the PATH; install it with scripts/install, or set RECORDSPEC to its path")
    ctx.symlink(path, "recordspec")
    ctx.file("BUILD.bazel", 'exports_files(["recordspec"])\n')

recordspec_repository = repository_rule(
    implementation = _recordspec_repository_impl,
    environ = ["PATH", "RECORDSPEC"],
    local = True,
    doc = "A repository with the installed command: the one that RECORDSPEC names, or the first on the PATH.",
)
