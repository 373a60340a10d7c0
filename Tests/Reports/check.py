"""Checks the reports of suites with third-party readers. scripts/reports runs it.

Runs the suite at once and in shards, with each report. The reports of the shards, merged, must be those of the run at once, but
for durations. JUnit must conform to its schema, and the counts that junitparser, tap.py and this program read in the reports must
be equal. A shard that is missing or that was killed must be noticed.

    check.py RECORDSPEC SCHEMA FOLDER SCENARIOS ...
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import junitparser
import tap.parser

FORMATS = {"junit": "xml", "tap": "tap", "markdown": "md", "text": "txt", "json": "jsonl", "html": "html"}
failures = []


def expect(is_met, message):
    if not is_met:
        failures.append(message)
        print(f"  wrong: {message}")


def run(arguments, **options):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    environment["CI"] = "true"
    return subprocess.run(
        arguments, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, **options)


def options(folder, formats=FORMATS):
    return [part for name in formats for part in ("--report", f"{name}={folder}/report.{FORMATS[name]}")]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def without_durations(text):
    text = re.sub(r'time="[0-9.]+"', "", text)
    text = re.sub(r'"(seconds|duration)":[0-9.e-]+,?', "", text)
    return re.sub(r"\b[0-9]+(\.[0-9]+)? (ms|s)\b", "", text)


# Each of these returns the numbers of passed, failed and skipped scenarios in a report, which must not contradict itself.


def counts_of_junit(path):
    report = junitparser.JUnitXml.fromfile(path)
    cases = [case for suite in report for case in suite]
    kinds = [case.result[0].__class__.__name__ for case in cases if case.result]
    attributes = (report.tests, report.failures, report.errors)
    counted = (len(cases), kinds.count("Failure"), kinds.count("Error"))
    expect(attributes == counted, f"{path}: the attributes are {attributes}, and the test cases {counted}")
    failed = kinds.count("Failure") + kinds.count("Error")
    skipped = kinds.count("Skipped")
    return len(cases) - failed - skipped, failed, skipped


def counts_of_tap(path):
    passed = failed = skipped = details = 0
    planned = None
    unknown = []
    for line in tap.parser.Parser().parse_file(path):
        if line.category == "plan":
            planned = line.expected_tests
        elif line.category == "test":
            if line.skip:
                skipped += 1
            elif line.ok or line.todo:
                passed += 1
            else:
                failed += 1
        elif line.category == "unknown":
            unknown.append(line)
        details += getattr(line, "yaml_block", None) is not None
    expect(not unknown, f"{path}: {len(unknown)} lines are no TAP")
    expect(details == failed, f"{path}: {details} of {failed} failures have details")
    expect(planned == passed + failed + skipped, f"{path}: the plan is {planned}")
    return passed, failed, skipped


def counts_of_json(path):
    lines = [json.loads(line) for line in read(path).splitlines()]
    outcomes = [line["outcome"] for line in lines if line["type"] == "scenario"]
    passed = sum(outcome in ("passed", "expected-failure") for outcome in outcomes)
    skipped = outcomes.count("skipped")
    end = lines[-1]
    stated = tuple(end.get(name, 0) for name in ("passed", "failed", "skipped"))
    counted = passed, len(outcomes) - passed - skipped, skipped
    expect(stated == counted, f"{path}: the last line has {stated}, and the lines {counted}")
    return counted


def counts_of_text(path):
    found = re.findall(r"(\d+) passed, (\d+) failed, (\d+) skipped", read(path))
    return tuple(map(int, found[-1])) if found else None


def counts_of_html(path):
    """Reads the elements with data, as a browser finds them: each ends at the first end tag."""
    elements = re.findall(
        r'<script type="application/json"(?: class="([a-z]+)")?(?: id="([\w-]+)")?>(.*?)</script', read(path), re.DOTALL)
    data = [(kind or name, json.loads(text)) for kind, name, text in elements]
    outcomes = [value["outcome"] for kind, value in data if kind == "scenario"]
    details = sum(kind == "details" for kind, _ in data)
    expect(details == len(outcomes), f"{path}: {details} of {len(outcomes)} scenarios have details")
    end = dict(data)["summary"]
    counted = {name: outcomes.count(name) for name in end["counts"]}
    expect(end["counts"] == counted, f"{path}: the end has {end['counts']}, and the elements {counted}")
    passed = sum(outcome in ("passed", "expected-failure") for outcome in outcomes)
    skipped = outcomes.count("skipped")
    return passed, len(outcomes) - passed - skipped, skipped


COUNTS = {
    "junit": counts_of_junit,
    "tap": counts_of_tap,
    "json": counts_of_json,
    "text": counts_of_text,
    "markdown": counts_of_text,
    "html": counts_of_html,
}


def check_shards(recordspec, suite, whole, status, folder, count):
    """Runs a suite in shards. Their merged reports must be those of the folder `whole`, and the exit code `status`."""
    files = []
    for number in range(1, count + 1):
        file = f"{folder}/shard-{number}.jsonl"
        files.append(file)
        run([recordspec, "run", *suite, "--shard", f"{number}/{count}", "--details", "--report", f"json={file}"])
    merged = f"{folder}/merged"
    # The order of the shards does not matter.
    result = run([recordspec, "merge", *reversed(files), *options(merged)])
    expect(result.returncode == status, f"{count} shards: merge ended with {result.returncode}, the run with {status}")
    for name, extension in FORMATS.items():
        texts = [without_durations(read(f"{place}/report.{extension}")) for place in (whole, merged)]
        expect(texts[0] == texts[1], f"{count} shards: {merged}/report.{extension} differs from {whole}/report.{extension}")
    if count > 1:
        result = run([recordspec, "merge", *files[1:]])
        expect(
            result.returncode == 3 and f"1/{count}" in result.stderr + result.stdout,
            f"{count} shards: a missing shard is not noticed: {result.returncode} {result.stderr}")
        result = run([recordspec, "merge", *files, files[0]])
        expect(result.returncode == 2, f"{count} shards: a double shard is not noticed: {result.returncode} {result.stderr}")


def check_killed_shard(recordspec, suite, folder):
    """Kills a shard as soon as it has reported a scenario, and merges what it has left."""
    first, second = f"{folder}/ended.jsonl", f"{folder}/killed.jsonl"
    run([recordspec, "run", *suite, "--shard", "1/2", "--report", f"json={first}"])
    for _ in range(10):
        process = subprocess.Popen(
            [recordspec, "run", *suite, "--shard", "2/2", "--jobs", "1", "--report", f"json={second}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < end:
            if os.path.exists(second) and '"scenario"' in read(second):
                break
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        if process.wait() == -signal.SIGKILL:
            break
    else:
        return expect(False, "the shard ended before it could be killed")
    result = run([recordspec, "merge", first, second])
    expect(
        result.returncode == 3 and "cut off" in result.stderr + result.stdout,
        f"a killed shard is not noticed: {result.returncode} {result.stderr}")


def check_suite(recordspec, schema, scenarios, folder):
    """Checks the reports of a suite with any results, below a folder that does not exist yet."""
    suite = ["--scenarios", scenarios]
    whole = f"{folder}/whole"
    os.makedirs(whole)
    result = run([recordspec, "run", *suite, "--details", *options(whole)])
    status = result.returncode
    summary = re.findall(r"(\d+) passed, (\d+) failed, (\d+) skipped", result.stdout)
    expected = tuple(map(int, summary[-1])) if summary else None
    expect(expected is not None, f"the run has no summary: {result.stdout[-500:]}{result.stderr}")
    for name, count in COUNTS.items():
        counts = count(f"{whole}/report.{FORMATS[name]}")
        expect(counts == expected, f"{name} counts {counts}, and the terminal {expected}")
    # The schema does not have these two attributes of test cases, which other CI systems read.
    plain = re.sub(r'(<testcase [^>]*?) file="[^"]*" line="[0-9]+"', r"\1", read(f"{whole}/report.xml"))
    with open(f"{whole}/plain.xml", "w", encoding="utf-8") as file:
        file.write(plain)
    result = run(["xmllint", "--noout", "--nonet", "--schema", schema, f"{whole}/plain.xml"])
    expect(result.returncode == 0, f"JUnit does not conform to its schema: {result.stderr[:1000]}")
    for count in (1, 3, 8):
        place = f"{folder}/{count}"
        os.makedirs(place)
        check_shards(recordspec, suite, whole, status, place, count)
    check_killed_shard(recordspec, suite, folder)
    print(f"  {scenarios}: {expected} passed, failed and skipped, exit code {status}, in 1, 3 and 8 shards")


def main():
    recordspec, schema, folder, *suites = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    for number, scenarios in enumerate(suites):
        check_suite(recordspec, schema, scenarios, f"{folder}/{number}")
    print(f"{len(suites)} suites, {len(failures)} problems")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
