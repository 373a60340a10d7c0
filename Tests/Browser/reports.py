"""Reports for the test of the browser: of a suite with every outcome, of the suite of this project, and of 10,000 scenarios."""

import functools
import os
import pathlib
import re
import subprocess
import time

MODEL = """\
model:
  entities:
    Book:
      primaryKey: isbn
      attributes: {isbn: string, title: string, pages: int32}
      relationships:
        author: {to: Author, inverse: books}
    Author:
      primaryKey: id
      attributes: {id: int64, name: string}
      relationships:
        books: {toMany: Book, inverse: author}
responses:
  books:
    - body:
        - {isbn: a-1, title: Salt, pages: 212, author: {id: 7, name: Ada}}
        - {isbn: a-2, title: Tide, pages: many, author: {id: 7, name: Ada}}
    - body:
        - {isbn: a-2, title: Tides, pages: 340, author: {id: 8, name: Eva}}
steps:
  - {request: Book, urn: books}
  - {request: Book, urn: books}
"""

FAILING = f"""\
title: A second response changes the author of a book
tags: [books]
covers: [identity.attribute-key, relationships.to-one]
{MODEL}expect:
  graph:
    Book:
      - {{isbn: a-1, title: Salt, pages: 213}}
      - {{isbn: a-2, title: Tides, author: Author/7}}
"""

PASSING = f"title: Two responses have the same author\ncovers: [population.items]\n{MODEL}"

# Text that would run, or end an element, if the page took it for markup.
HOSTILE_TEXT = "</script><img src=x onerror=window.attacked=1><!--"
HOSTILE = f"""\
title: "{HOSTILE_TEXT}"
tags: ["{HOSTILE_TEXT}"]
model:
  entities:
    constructor:
      primaryKey: __proto__
      attributes: {{__proto__: string, toString: string, {'long' * 40}: string}}
responses:
  "</script><script>window.attacked=1</script>":
    body: [{{__proto__: "{HOSTILE_TEXT}", toString: "{'wide ' * 400}", {'long' * 40}: "{'x' * 3000}"}}]
steps:
  - {{request: constructor, urn: "</script><script>window.attacked=1</script>"}}
expect:
  graph: {{constructor: {{count: 2}}}}
"""

INVALID = f"title: A misspelled key\nmodle: 1\n{MODEL}"

# The scenarios with their outcomes on the page.
SCENARIOS = {
    "books/second-author": (FAILING, "Failed"),
    "books/same-author": (PASSING, "Passed"),
    "books/known": (FAILING.replace("tags: [books]", "xfail: {reason: the author is not known yet}"), "Expected failure"),
    "books/surprise": (PASSING + "xfail: {reason: this was fixed}\n", "Unexpected pass"),
    "books/later": (PASSING + "skip: needs another server\n", "Skipped"),
    "books/misspelled": (INVALID, "Invalid"),
    "books/unreadable": ("- Not a scenario\n", "Invalid"),
    "books/new": (PASSING, "New"),
    "hostile": (HOSTILE, "Failed"),
}

# The scenarios with golden files, with the texts from which these are recorded.
BLESSED = {
    "books/same-author": PASSING,
    "books/second-author": PASSING.replace("pages: 340", "pages: 341"),
    "books/surprise": PASSING,
}

# Scenarios of the large suite: one in 97 fails.
SMALL = """\
title: Case {number} of a large suite
model: {{entities: {{Post: {{primaryKey: id, attributes: {{id: int64, text: string}}}}}}}}
responses: {{posts: {{body: [{{id: {number}, text: Hello}}]}}}}
steps: [{{request: Post, urn: posts}}]
expect: {{graph: {{Post: [{{id: {number}, text: {text}}}]}}}}
"""


LARGE = 10_000
ROOT = pathlib.Path(__file__).resolve().parents[2]


class Reports:
    """The reports, each of which is written when it is first used."""

    def __init__(self, recordspec, folder):
        self.recordspec = recordspec
        self.folder = folder

    def command(self, arguments, folder, statuses):
        """Runs a command, and returns its output. Another exit code than the given ones is an error."""
        # In CI, `bless` is refused, and a golden file without a scenario fails the run.
        environment = {name: value for name, value in os.environ.items() if name not in ["CI", "GITHUB_ACTIONS", "TF_BUILD"]}
        result = subprocess.run(
            [self.recordspec, *arguments], cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL, check=False)
        if result.returncode not in statuses:
            raise AssertionError(
                f"recordspec {' '.join(arguments)} ended with {result.returncode}:\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
        return result.stdout

    @functools.cached_property
    def mixed(self):
        """The report of the suite with every outcome, and the output of the run."""
        suite = self.folder / "mixed"
        for name, text in BLESSED.items():
            write(suite / "Scenarios" / f"{name}.yaml", text)
        self.command(["bless"], suite, {0})
        for name, (text, _) in SCENARIOS.items():
            write(suite / "Scenarios" / f"{name}.yaml", text)
        write(suite / "Golden" / "removed.json", '{"graph": {}, "steps": []}\n')
        report = self.folder / "mixed.html"
        output = self.command(["run", "--report", f"html={report}"], suite, {1, 2})
        return report, output

    @functools.cached_property
    def suite(self):
        """The report of the suite of this project, and the output of the run."""
        report = self.folder / "suite.html"
        output = self.command(["run", "--report", f"html={report}"], ROOT, {0})
        return report, output

    @functools.cached_property
    def large(self):
        """The report of 10,000 scenarios, of which one in 97 fails, and the others have no golden file."""
        suite = self.folder / "large"
        for number in range(LARGE):
            text = "Bye" if number % 97 == 0 else "Hello"
            write(suite / "Scenarios" / f"group-{number // 100}" / f"case-{number}.yaml", SMALL.format(number=number, text=text))
        report = self.folder / "large.html"
        start = time.monotonic()
        self.command(["run", "--report", f"html={report}"], suite, {1})
        print(f"    run {LARGE:,} scenarios: {time.monotonic() - start:.1f} s")
        return report

    @functools.cached_property
    def rules(self):
        """The page of the rules alone, with the results of a run on each store."""
        report = self.folder / "rules.html"
        results = []
        for store in ["memory", "sqlite"]:
            file = self.folder / f"{store}.jsonl"
            self.command(["run", "population", "--store", store, "--report", f"json={file}"], ROOT, {0})
            results += ["--results", str(file)]
        self.command(["rules", "--html", str(report), *results], ROOT, {0})
        return report

    @functools.cached_property
    def cut_off(self):
        """A report that ends within its last scenario, as after a run that was killed."""
        text = self.mixed[0].read_bytes()
        report = self.folder / "cut-off.html"
        report.write_bytes(text[:text.rindex(b'class="scenario"') + 60])
        return report


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def totals(output):
    """Returns the numbers of passed, failed and skipped scenarios in the last line of a run."""
    found = re.search(r"(\d+) passed, (\d+) failed, (\d+) skipped\s*$", output)
    if not found:
        raise AssertionError(f"the run prints no totals:\n{output[-2000:]}")
    return tuple(int(number) for number in found.groups())
