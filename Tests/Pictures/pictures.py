"""Writes the pictures of the documentation from the output of `recordspec`, as SVG.

scripts/pictures builds `recordspec`, installs Chromium, and runs this program.
"""

import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))

import page
import terminal
from browser import Browser

CATALOG = ROOT / "Sources" / "RecordSpec" / "RecordSpec.docc"
STYLES = ROOT / "Sources" / "ScenarioReport" / "Report" / "Page" / "report.css"
SUITE = ROOT / "Tests" / "Pictures" / "Suite"

# The statement that the app of the README forgets.
STATEMENT = '            database.execute("DELETE FROM recipe_tag")\n'
RUN = "recordspec run --adapter recipes --verbose"
# The line heights of the report do not depend on fonts, so its height is the same on all systems.
REPORT_HEIGHT = 900


class Suite:
    """A folder in which commands run."""

    def __init__(self, recordspec, folder):
        self.recordspec = recordspec
        self.folder = folder

    def write(self, path, text):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def output(self, command, status=0):
        """Runs a command, and returns its output. Another exit code than the given one is an error."""
        # In CI, `bless` is refused, and the variables of recordspec change what it does.
        environment = {
            name: value for name, value in os.environ.items()
            if name not in ["CI", "GITHUB_ACTIONS", "TF_BUILD"] and not name.startswith("RECORDSPEC")}
        result = subprocess.run(
            [self.recordspec, *command.split()[1:]], cwd=self.folder, env=environment, text=True, capture_output=True,
            stdin=subprocess.DEVNULL, check=False)
        if result.returncode != status:
            sys.exit(f"error: {command} ended with {result.returncode}:\n{result.stdout}{result.stderr}")
        return result.stdout


def scenario_of(article):
    """Returns the first scenario of an article."""
    return re.search(r"```yaml\n(.*?)```", article.read_text(encoding="utf-8"), re.DOTALL).group(1)


def pictures(recordspec, folder, open_browser):
    """Returns the texts of the pictures by their names."""
    recipes = Suite(recordspec, folder / "recipes")
    shutil.copytree(SUITE, recipes.folder)
    recipes.write("Scenarios/refresh.yaml", scenario_of(ROOT / "README.md"))
    recipes.output("recordspec bless --adapter recipes")
    app = (recipes.folder / "app.py").read_text(encoding="utf-8")
    if app.count(STATEMENT) != 1:
        sys.exit("error: Tests/Pictures/Suite/app.py does not contain the statement that the app forgets")
    recipes.write("app.py", app.replace(STATEMENT, ""))
    run = recipes.output(f"{RUN} --color always", status=1)
    recipes.output(f"{RUN} --report html=report.html", status=1)

    books = Suite(recordspec, folder / "books")
    books.write("Scenarios/books.yaml", scenario_of(CATALOG / "SeeingResults.md"))

    browser = open_browser()
    try:
        report = page.picture(
            browser, recipes.folder / "report.html", "refresh", STYLES.read_text(encoding="utf-8"), REPORT_HEIGHT,
            "A failed scenario in an HTML report")
        recipes.write("report.svg", report)
        height = page.content_height(browser, recipes.folder / "report.svg")
        # The frame has a pixel at the top and at the bottom.
        if height > REPORT_HEIGHT - 2:
            sys.exit(f"error: the report needs {height} pixels; change REPORT_HEIGHT in Tests/Pictures/pictures.py")
    finally:
        browser.close()
    return {
        "failing-run.svg": terminal.picture(RUN, run, "A run with a failed scenario"),
        "report.svg": report,
        "books-graph.svg": books.output("recordspec graph books --step 2"),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recordspec", type=pathlib.Path)
    parser.add_argument("--chromium")
    parser.add_argument("--driver")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    # Ended by a signal, the program closes the browser and removes its folder.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory() as folder:
        found = pictures(
            arguments.recordspec.resolve(), pathlib.Path(folder), lambda: Browser(arguments.chromium, arguments.driver))
    problems = []
    for name, text in found.items():
        file = CATALOG / "Resources" / name
        if not arguments.check:
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            problems.append(f"{file.relative_to(ROOT)} is not current")
    if problems:
        sys.exit("\n".join([*problems, "write the pictures with: scripts/pictures"]))


main()
