"""Opens HTML reports of `recordspec` in a headless Chromium, and uses them as a reader does.

scripts/browser builds `recordspec`, installs Chromium, and runs this program.
"""

import argparse
import pathlib
import signal
import sys
import tempfile
import time
import traceback

from selenium.webdriver.common.keys import Keys

import reports
from browser import Browser

# The seconds in which a report of 10,000 scenarios must open, and in which it must react.
SECONDS_TO_OPEN = 5
SECONDS_TO_REACT = 1
FAILING = "#scenario/books/second-author"
# Windows of a desktop and of a phone.
SIZES = [(1440, 900), (400, 800)]


class Check:
    """The checks. Each one opens the report that it needs."""

    def __init__(self, browser, made, screenshots):
        self.browser = browser
        self.reports = made
        self.screenshots = screenshots

    def setting(self):
        """Restores the window before a check."""
        self.browser.resize(*SIZES[0])
        self.browser.set_scheme("light")

    # The overview

    def overview(self):
        """The overview has the counts of the run, and the golden file without a scenario."""
        browser = self.browser
        browser.open(self.reports.mixed[0])
        passed, failed, skipped = reports.totals(self.reports.mixed[1])
        counts = dict(text[2:].rsplit(" ", 1) for text in browser.texts(".choice span")[1:])
        found = {outcome: int(count) for outcome, count in counts.items()}
        expected = {}
        for _, outcome in reports.SCENARIOS.values():
            expected[outcome] = expected.get(outcome, 0) + 1
        equal(found, expected, "the counts of the outcomes")
        equal(found["Passed"] + found["Expected failure"], passed, "passed scenarios")
        equal(found["Skipped"], skipped, "skipped scenarios")
        equal(browser.text("h1"), f"{failed} of {len(reports.SCENARIOS)} scenarios failed", "the headline")
        contains(browser.text(".notice"), "Golden/removed.json", "the notice")
        texts = browser.texts(".row .quiet")
        contains(texts, "A misspelled key (unknown key 'modle')", "the text of the invalid scenario")
        contains(texts, "expected a mapping for a scenario, found a list", "the text of the unreadable scenario")
        equal(self.outcomes()[-3:], ["Expected failure", "Skipped", "Passed"], "the outcomes after the failures")
        self.screenshot("overview")

    def filters(self):
        """Outcomes, words and an order select scenarios, and the address keeps them."""
        browser = self.browser
        browser.open(self.reports.mixed[0])
        browser.click("input[value=failed]")
        equal(set(self.outcomes()), {"Failed"}, "the outcomes with the filter 'Failed'")
        # The chosen filter has the focus, and uses only the keys that change it.
        browser.press("/")
        browser.wait("the focus", lambda: browser.run("return document.activeElement.id") == "search")
        browser.press(*"AUTHOR identity")
        browser.settle()
        equal(self.names(), ["books/second-author"], "the scenarios with both words")
        equal(browser.text(".count"), f"1 of {len(reports.SCENARIOS)} scenarios", "the count")
        browser.wait("the address", lambda: browser.fragment == "#?outcome=failed&search=AUTHOR+identity")
        browser.open(self.reports.mixed[0], "#?outcome=failed&search=author+identity")
        equal(self.names(), ["books/second-author"], "the scenarios of an address with filters")
        browser.one("#search").send_keys(" nothing")
        browser.settle()
        equal(browser.text(".empty"), "No scenario matches.", "the text without a match")
        browser.open(self.reports.mixed[0])
        browser.click("#sort option[value=plan]")
        equal(self.names(), sorted(reports.SCENARIOS), "the scenarios in the order of the run")
        browser.open(self.reports.suite[0], "#?sort=duration")
        seconds = [milliseconds(text) for text in browser.texts(".row .duration")]
        equal(seconds, sorted(seconds, reverse=True), "the durations, the slowest first")

    def names(self):
        return self.browser.texts(".row .name")

    def outcomes(self):
        return [text.split("\n")[-1] for text in self.browser.texts(".row .badge")]

    # A scenario

    def scenario(self):
        """A failing scenario shows its text, its differences, and the failing lines of its file."""
        browser = self.browser
        browser.open(self.reports.mixed[0])
        self.follow(".row a", "books/second-author")
        equal(browser.fragment, FAILING, "the address")
        equal(browser.text("h1 .name"), "books/second-author", "the heading")
        browser.click("#failure summary")
        for line in browser.text("#failure pre").splitlines():
            contains(self.reports.mixed[1], line.strip(), "the output of the run")
        self.screenshot("scenario")
        cards = browser.texts(".difference")
        contains(cards[0], "Book/a-1: 'pages' has a different value", "the first difference")
        equal([side.splitlines()[-1] for side in browser.texts(".difference:first-of-type .side")],
              ["integer 213", "integer 212"], "the sides of the first difference")
        contains("\n".join(cards), "golden file", "the differences")
        marked = browser.texts("#file-0 .line.bad code")
        equal([line.strip() for line in marked], [
            "- {isbn: a-1, title: Salt, pages: 213}", "- {isbn: a-2, title: Tides, author: Author/7}"], "the failing lines")
        contains(browser.texts("#file-0 .mark")[0], "expected: integer 213", "the message of a failing line")
        browser.click(".difference:first-of-type .position")
        equal(browser.text(".line.chosen code").strip(), "- {isbn: a-1, title: Salt, pages: 213}", "the line of a link")
        equal(browser.texts("#responses .name"), ["books, 1 of 2", "books, 2 of 2"], "the responses")
        contains(browser.text("#journal"), "https://api.test/books", "the journal of requests")
        equal(browser.texts("#journal button"), ["books, 1 of 2", "books, 2 of 2"], "the responses of the journal")
        self.follow("dd a.tag", "books")
        equal(browser.fragment, "#?search=books", "the address of a tag")

    def steps(self):
        """The slider moves through the steps, with their records, changes, remarks and drawings."""
        browser = self.browser
        browser.open(self.reports.mixed[0], FAILING)
        browser.one("#slider").send_keys(Keys.HOME)
        browser.settle()
        equal(browser.text(".step-title"), "Before the first step", "the title of step 0")
        contains(browser.text(".step"), "There are no records.", "step 0")
        browser.one("#slider").send_keys(Keys.ARROW_RIGHT)
        browser.settle()
        contains(browser.text(".step-title"), "Step 1: request Book, GET books", "the title of step 1")
        equal(browser.texts(".labels > div"), ["returned, inserted\nBook/a-1\nBook/a-2", "inserted\nAuthor/7"],
              "the records of step 1, each of them once")
        contains(browser.text(".remarks"), 'cannot convert "many" to int32', "the remarks of step 1")
        equal(len(browser.all(".drawing .node.inserted")), 3, "the inserted nodes of step 1")
        equal(browser.texts("[aria-label='Records of Book'] .sign"), ["+\ninserted"] * 2, "the signs of step 1")
        browser.one("#slider").send_keys(Keys.END)
        browser.settle()
        browser.wait("the address", lambda: browser.fragment == f"{FAILING}/step/2")
        equal(browser.text("[data-value='Book/a-2.author']"), "Author/7 → Author/8", "the changed author")
        contains(browser.texts(".drawing .node.updated text"), "~ author: Author/7 → Author/8", "the drawing")
        browser.click("input[name=drawing][value=before]")
        contains(browser.texts(".drawing text"), "author: Author/7", "the drawing before the step")
        absent(browser.texts(".drawing text"), "Author/8", "the drawing before the step")
        browser.click("input[name=drawing][value=after]")
        contains(browser.texts(".drawing text"), "author: Author/8", "the drawing after the step")
        equal(len(browser.all(".drawing .updated")), 0, "the changes in the drawing after the step")
        browser.click(".toggle input")
        absent(browser.texts("[data-value]"), "Book/a-1", "the changes of step 2")

    def provenance(self):
        """A click on a value shows its provenance, whose links lead to the line of the file and to the rule."""
        browser = self.browser
        browser.open(self.reports.mixed[0], f"{FAILING}/step/2")
        browser.click("[data-value='Book/a-2.author']")
        equal(browser.text("#provenance-title"), "Book/a-2.author", "the title of the panel")
        text = browser.text("#provenance")
        for part in ["to-one relationship Author/8", "to-one relationship Author/7", "step 2, books", "/0/author"]:
            contains(text, part, "the provenance")
        self.screenshot("provenance")
        self.follow("#provenance a", "22:57")
        contains(browser.text(".line.chosen code"), "author: {id: 8, name: Eva}", "the line of the value")
        self.follow("#provenance a", "relationships.to-one")
        equal(browser.fragment, "#rules/relationships.to-one", "the address of the rule")
        equal(browser.text(".rule.chosen h3 a"), "relationships.to-one", "the rule")
        contains(browser.text(".rule.chosen"), "books/second-author", "the scenarios of the rule")
        if browser.one("#provenance").is_displayed():
            raise AssertionError("the panel covers the page of the rules")
        browser.driver.back()
        browser.settle()
        equal(browser.text("h1 .name"), "books/second-author", "the heading after 'back'")
        browser.open(self.reports.mixed[0], f"{FAILING}/step/1")
        browser.click("[data-value='Book/a-2.author']")
        contains(browser.text("#provenance"), "step 1, books", "the provenance after step 1")

    def every_scenario(self):
        """Every part of each scenario can be shown."""
        browser = self.browser
        for name, (_, outcome) in reports.SCENARIOS.items():
            browser.open(self.reports.mixed[0], f"#scenario/{name}")
            contains(browser.text("h1"), outcome, f"the heading of {name}")
            for summary in browser.all("main details > summary"):
                browser.run("arguments[0].parentElement.open = true", summary)
            for step in range(len(browser.all(".step-list li"))):
                browser.go(f"#scenario/{name}/step/{step}")
                for value in browser.all(".step button.value"):
                    browser.run("arguments[0].click()", value)
            self.look(name)

    def whole_suite(self):
        """The report of the whole suite shows each scenario. One in seven is opened."""
        browser = self.browser
        browser.open(self.reports.suite[0])
        passed, failed, skipped = reports.totals(self.reports.suite[1])
        contains(browser.text(".choice"), f"All {passed + failed + skipped}", "the choices")
        self.screenshot("suite")
        names = scenario_names(reports.ROOT / "Scenarios")
        equal(len(names), passed + failed + skipped, "the scenarios in files")
        for name in names[::7]:
            browser.go(f"#scenario/{name}")
            equal(browser.text("h1 .name"), name, "the heading")
            self.look(name, is_photographed=False)

    # The rules

    def rules(self):
        """The page of the rules lists their scenarios with outcomes, and selects rules."""
        browser = self.browser
        browser.open(self.reports.mixed[0], "#rules")
        self.screenshot("rules")
        browser.click("input[name=rules][value=wrong]")
        equal(browser.texts(".rule:not([hidden]) h3 a"), ["population.items", "identity.attribute-key", "relationships.to-one"],
              "the rules with failures")
        browser.one("#search").send_keys("links")
        browser.settle()
        absent(browser.texts(".rule:not([hidden]) h3 a"), "population.items", "the rules with the word 'links'")
        browser.click("input[name=rules][value=uncovered]")
        absent(browser.text("main"), "books/second-author", "the rules without scenarios")

    def rules_alone(self):
        """`recordspec rules --html` writes the page of the rules alone."""
        browser = self.browser
        browser.open(self.reports.rules)
        equal(browser.texts(".bar nav a"), ["Rules"], "the pages")
        equal(browser.texts("[id='rule-population.items'] thead th"), ["scenario", "memory", "sqlite"], "the stores")
        equal(browser.text("[id='rule-population.items'] tbody tr"), "population/items ✓ Passed ✓ Passed", "the outcomes")
        self.screenshot("rules-alone")

    # The reader

    def keyboard(self):
        """Everything works with the keyboard alone."""
        browser = self.browser
        browser.open(self.reports.mixed[0])
        browser.press("/", *"author", Keys.ENTER)
        equal(browser.run("return document.activeElement.getAttribute('href')"), FAILING, "the focus after a search")
        browser.press("j", "k", Keys.ENTER)
        equal(browser.text("h1 .name"), "books/second-author", "the scenario that Enter opens")
        browser.press(Keys.ARROW_LEFT)
        contains(browser.text(".step-title"), "Step 1", "the step after the left arrow")
        browser.press(Keys.ARROW_RIGHT)
        contains(browser.text(".step-title"), "Step 2", "the step after the right arrow")
        browser.run("document.querySelector('[aria-label=\"Records of Author\"] button[tabindex=\"0\"]').focus()")
        browser.press(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ENTER)
        equal(browser.text("#provenance-title"), "Author/8.id", "the value that Enter explains")
        browser.press(Keys.ESCAPE)
        equal(browser.run("return document.activeElement.dataset.value"), "Author/8.id", "the focus after Escape")
        browser.press("?")
        contains(browser.text("#help"), "next and previous row", "the help")
        browser.press(Keys.ESCAPE, "j")
        absent([browser.text("h1 .name")], "books/second-author", "the scenario after j")
        browser.press(Keys.ESCAPE)
        equal(browser.fragment, "#?search=author", "the address after Escape")
        browser.open(self.reports.mixed[0])
        browser.one("#search").send_keys("surprise", Keys.ENTER, Keys.ENTER)
        browser.wait("the scenario", lambda: browser.fragment == "#scenario/books/surprise")
        browser.driver.back()
        browser.wait("the search", lambda: browser.fragment == "#?search=surprise")

    def sizes_and_schemes(self):
        """Pages fit into wide and narrow windows, and their texts are readable on light and dark backgrounds."""
        browser = self.browser
        pages = {
            "overview": "", "scenario": FAILING, "step": f"{FAILING}/step/2", "hostile": "#scenario/hostile/step/1",
            "file": f"{FAILING}/file/0/30", "rules": "#rules", "rule": "#rules/relationships.to-one",
        }
        for scheme in ["light", "dark"]:
            browser.set_scheme(scheme)
            for size in SIZES:
                browser.resize(*size)
                for name, fragment in pages.items():
                    browser.open(self.reports.mixed[0], fragment)
                    self.look(f"{name}-{scheme}-{size[0]}")
                    if name == "step":
                        browser.run("document.querySelector('[data-value=\"Book/a-2.author\"]').click()")
                        self.look(f"panel-{scheme}-{size[0]}")

    def hostile(self):
        """Texts of scenarios are never markup."""
        browser = self.browser
        browser.open(self.reports.mixed[0], "#scenario/hostile/step/1")
        equal(browser.text(".title"), reports.HOSTILE_TEXT, "the title")
        equal(browser.run("return [window.attacked, document.images.length]"), [None, 0], "the effects of hostile texts")
        contains(browser.text(".entity"), "constructor: 1 record", "the records")

    def long_lists(self):
        """A long list has a button that shows the rest, unless only a few items are left."""
        browser = self.browser
        browser.open(self.reports.mixed[0])
        buttons = {12: [], 15: [], 16: ["Show all 16 items"], 1000: ["Show all 1,000 items"]}
        for count, more in buttons.items():
            browser.run("""
                const items = [...Array(arguments[0]).keys()];
                document.querySelector("main").replaceChildren(
                  element("ul", { id: "list" }, listItems(items, 12, "items", (item) => `item ${item}`)))""", count)
            equal(browser.texts("#list button"), more, f"the button below {count} items")
            items = [f"item {item}" for item in range(count)]
            equal(browser.texts("#list li"), (items[:12] + more) if more else items, f"the first of {count} items")
            if more:
                browser.click("#list button")
                equal(browser.texts("#list li"), items, f"all of {count} items")

    def cut_off(self):
        """A report whose end is missing shows what it contains, and says so."""
        browser = self.browser
        browser.open(self.reports.cut_off)
        contains(browser.text(".notice"), "The report is incomplete", "the notice")
        equal(len(self.names()), len(reports.SCENARIOS) - 1, "the scenarios of a report that is cut off")

    def print_preview(self):
        """Paper has all scenarios of the list, also those outside the window."""
        browser = self.browser
        browser.open(self.reports.suite[0])
        browser.run("window.addEventListener('beforeprint', () => { window.printed = document.querySelectorAll('.row').length })")
        browser.driver.execute_cdp_cmd("Page.printToPDF", {})
        equal(browser.run("return window.printed"), sum(reports.totals(self.reports.suite[1])), "the printed rows")

    def large(self):
        """A report of 10,000 scenarios opens quickly, and stays responsive."""
        browser = self.browser
        report = self.reports.large
        times = {f"open {report.stat().st_size / 1e6:.0f} MB": (browser.open(report), SECONDS_TO_OPEN)}
        equal(browser.texts(".choice span")[0], f"All {reports.LARGE:,}", "the number of scenarios")

        def measure(name, script, condition):
            start = time.monotonic()
            browser.run(script)
            browser.settle()
            times[name] = (time.monotonic() - start, SECONDS_TO_REACT)
            if not browser.run(f"return {condition}"):
                raise AssertionError(f"{name} has no effect")

        failed = len(range(0, reports.LARGE, 97))
        measure("filter by outcome", "document.querySelector('input[value=failed]').click()",
                f"document.querySelector('.count').textContent.startsWith('{failed} of')")
        measure("remove the filter", "document.querySelector('input[name=outcome][value=\"\"]').click()",
                "document.querySelector('.count').textContent === ''")
        measure("search", """
            const search = document.getElementById('search');
            search.value = 'group-42 case';
            search.dispatchEvent(new Event('input'))""", "document.querySelector('.count').textContent.startsWith('100 of')")
        measure("clear the search", """
            const search = document.getElementById('search');
            search.value = '';
            search.dispatchEvent(new Event('input'))""", "document.querySelector('.count').textContent === ''")
        measure("scroll to the middle", "window.scrollTo(0, document.documentElement.scrollHeight / 2)",
                "[...document.querySelectorAll('.row')].some(row => { const top = row.getBoundingClientRect().top;"
                " return top > 0 && top < innerHeight })")
        if len(browser.all(".row")) > 100:
            raise AssertionError(f"the list has {len(browser.all('.row'))} rows at a time")
        # The browser lays the rows out after the event, which is its own time.
        seconds = browser.run("""
            const start = performance.now();
            window.dispatchEvent(new Event('beforeprint'));
            return (performance.now() - start) / 1000""")
        times["prepare to print"] = (seconds, SECONDS_TO_REACT)
        order = browser.run("return [...document.querySelectorAll('.row')].map(row => Number(row.ariaPosInSet))")
        equal(order, list(range(1, reports.LARGE + 1)), "the printed rows")
        browser.run("window.dispatchEvent(new Event('afterprint'))")
        measure("open a scenario", "location.hash = '#scenario/group-97/case-9700'",
                "document.querySelector('h1 .name').textContent === 'group-97/case-9700'")
        measure("return to the list", "location.hash = '#'", "document.querySelector('.row') !== null")
        for name, (seconds, _) in times.items():
            print(f"    {name}: {seconds:.2f} s")
        for name, (seconds, limit) in times.items():
            if seconds > limit:
                raise AssertionError(f"{name} takes {seconds:.2f} s, more than {limit} s")

    # Help for checks

    def follow(self, selector, text):
        """Clicks the first link that contains a text."""
        link = next((link for link in self.browser.all(selector) if text in link.text), None)
        if link is None:
            raise AssertionError(f"no {selector!r} contains {text!r}")
        self.browser.click_element(link)

    def look(self, name, is_photographed=True):
        """Checks that the page is as wide as the window, and that all of its texts are readable."""
        self.browser.settle()
        overflow = self.browser.overflow()
        if overflow > 0:
            raise AssertionError(f"{name}: the page is {overflow} px wider than the window")
        pale = self.browser.run(PALE_TEXTS)
        if pale:
            raise AssertionError(f"{name}: texts with too little contrast: {pale[:5]}")
        if is_photographed:
            self.screenshot(name.replace("/", "-"))

    def screenshot(self, name):
        if self.screenshots:
            self.browser.screenshot(self.screenshots / f"{name}.png")


# Returns the texts whose contrast is less than 4.5, the minimum of the Web Content Accessibility Guidelines. Disabled controls
# are exempt.
PALE_TEXTS = """
const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
const colors = new Map();
function parts(color) {
  if (!colors.has(color)) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    colors.set(color, [...canvas.getImageData(0, 0, 1, 1).data]);
  }
  return colors.get(color);
}
function luminance([red, green, blue]) {
  const [r, g, b] = [red, green, blue].map(part => part / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function background(element) {
  for (let owner = element; owner; owner = owner.parentElement) {
    if (owner.tagName === "g") {
      const box = owner.querySelector("rect");
      if (box) return parts(getComputedStyle(box).fill);
    }
    const color = parts(getComputedStyle(owner).backgroundColor);
    if (color[3] === 255) return color;
  }
  return [255, 255, 255];
}
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const pale = [];
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
  if (element.closest("script, noscript, .hidden, :disabled")) continue;
  const style = getComputedStyle(element);
  const [text, paper] = [parts(element.closest("svg") ? style.fill : style.color), background(element)].map(luminance);
  const contrast = (Math.max(text, paper) + 0.05) / (Math.min(text, paper) + 0.05);
  if (contrast < 4.5) pale.push(`${walker.currentNode.data.trim().slice(0, 30)} (${contrast.toFixed(1)})`);
}
return pale;
"""


def scenario_names(folder):
    files = [path for path in folder.glob("**/*.yaml") if not path.name.endswith(".model.yaml")]
    return sorted(path.relative_to(folder).with_suffix("").as_posix() for path in files)


def milliseconds(text):
    number, unit = text.split()
    return float(number) * {"ms": 1, "s": 1000}[unit]


def equal(found, expected, name):
    if found != expected:
        raise AssertionError(f"{name}: expected {expected!r}, found {found!r}")


def contains(found, expected, name):
    if expected not in found:
        raise AssertionError(f"{name}: expected {expected!r} in {found!r}")


def absent(found, unexpected, name):
    if unexpected in found:
        raise AssertionError(f"{name}: unexpected {unexpected!r} in {found!r}")


CHECKS = [
    Check.overview, Check.filters, Check.scenario, Check.steps, Check.provenance, Check.every_scenario, Check.rules,
    Check.rules_alone, Check.keyboard, Check.sizes_and_schemes, Check.hostile, Check.long_lists, Check.cut_off, Check.print_preview,
    Check.whole_suite, Check.large,
]


def run(check, function):
    """Runs a check, and returns its problems."""
    name = f"{function.__name__}: {function.__doc__.splitlines()[0]}"
    print(f"  {name}", flush=True)
    problems = []
    try:
        check.setting()
        function(check)
    except Exception as error:
        problems.append(str(error) if isinstance(error, AssertionError) else traceback.format_exc())
        check.screenshot(f"FAILED-{function.__name__}")
    problems += [f"a message of the console: {message}" for message in check.browser.messages()]
    problems += [f"a request to {address}" for address in check.browser.requests()]
    return [f"{name}\n    {problem}" for problem in dict.fromkeys(problems)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recordspec", type=pathlib.Path)
    parser.add_argument("--chromium")
    parser.add_argument("--driver")
    parser.add_argument("--screenshots", type=pathlib.Path)
    parser.add_argument("--only", help="run the checks with this text in their name")
    arguments = parser.parse_args()
    # The browser is closed also when the program is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)
    checks = [function for function in CHECKS if (arguments.only or "") in function.__name__]
    problems = []
    with tempfile.TemporaryDirectory(prefix="recordspec-") as folder:
        made = reports.Reports(arguments.recordspec.resolve(), pathlib.Path(folder).resolve())
        browser = Browser(arguments.chromium, arguments.driver)
        try:
            check = Check(browser, made, arguments.screenshots)
            for function in checks:
                problems += run(check, function)
        finally:
            browser.close()
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    print(f"{len(checks)} checks, {len(problems)} problems")
    return 1 if problems or not checks else 0


if __name__ == "__main__":
    sys.exit(main())
