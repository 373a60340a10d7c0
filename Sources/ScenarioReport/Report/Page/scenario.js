/** The page of a scenario. */
class ScenarioPage {
  constructor(report) {
    this.report = report;
    this.data = report.data;
    this.panel = report.panel;
  }

  get title() {
    return this.scenario?.name ?? "Scenario";
  }

  /** Shows a part of a scenario: a step, or a line of a file. */
  show(main, { name, step, file, line }) {
    const scenario = this.data.scenariosByName.get(name);
    if (!scenario) {
      this.scenario = undefined;
      main.replaceChildren(element("h1", {}, "Unknown scenario"), empty(`The report has no scenario “${name}”.`),
        element("p", {}, element("a", { href: "#" }, "Show all scenarios")));
      return;
    }
    if (scenario !== this.scenario || !main.contains(this.heading)) this.build(main, scenario);
    if (file !== undefined) this.showLine(file, line);
    else this.showStep(step);
  }

  close() {
    this.last = this.scenario;
    this.scenario = undefined;
    this.panel.close();
  }

  build(main, scenario) {
    this.panel.close();
    this.scenario = scenario;
    this.details = this.data.details(scenario);
    this.linker = new Linker(scenario, this.details);
    this.steps = new Steps(scenario, this.details, this.linker, this.panel, (step) => this.chooseStep(step));
    this.heading = this.headingElement();
    main.replaceChildren(this.neighbors(), this.heading);
    const sections = [
      this.differences(), this.failure(), this.steps.element, this.files(), this.responses(), this.journal(),
    ].filter(Boolean);
    main.append(this.contents(sections), ...sections);
    this.steps.show(this.firstStep);
  }

  /** The step at which the page opens: the first one with a difference, or else the last one. */
  get firstStep() {
    const different = this.details.differences.find((difference) => difference.step !== undefined);
    return different?.step ?? this.details.lastStep;
  }

  showStep(step) {
    if (step === undefined) return;
    this.panel.close();
    this.steps.show(step);
    const shown = document.getElementById("steps");
    const { top } = shown.getBoundingClientRect();
    if (top < 0 || top > window.innerHeight / 2) shown.scrollIntoView({ block: "start" });
  }

  /** Shows a step that the user chose with the slider, which adds no entry to the history. */
  chooseStep(step) {
    this.panel.close();
    this.steps.show(step);
    this.report.replaceHash(stepHash(this.scenario.name, this.steps.step));
  }

  showLine(file, line) {
    const shown = document.getElementById(`file-${file}`);
    if (!shown) return;
    // In a narrow window, the panel would cover the line.
    if (window.matchMedia("(max-width: 56rem)").matches) this.panel.close();
    reveal(shown);
    const id = `file-${file}-${line}`;
    if (!document.getElementById(id)) shown.querySelector("button.more")?.click();
    const number = document.getElementById(id);
    for (const other of shown.querySelectorAll(".chosen")) other.classList.remove("chosen");
    number?.classList.add("chosen");
    (number ?? shown).scrollIntoView({ block: "center" });
    number?.focus({ preventScroll: true });
  }

  // Heading

  neighbors() {
    const found = this.report.selected();
    const index = found.indexOf(this.scenario);
    const link = (text, other) => other
      ? element("a", { href: scenarioHash(other.name), title: other.name }, text)
      : element("span", { class: "quiet" }, text);
    return element("nav", { class: "neighbors", "aria-label": "Neighboring scenarios" },
      element("a", { href: overviewHash(this.report.filters) }, "← All scenarios"),
      index >= 0 && element("span", { class: "quiet" }, `${grouped(index + 1)} of ${grouped(found.length)}`),
      index >= 0 && element("span", { class: "pair" }, link("‹ Previous", found[index - 1]), link("Next ›", found[index + 1])));
  }

  headingElement() {
    const { name, title, tags = [], rules = [], reason, path, duration } = this.scenario;
    const notes = this.details.areMissing ? [NO_DETAILS] : this.details.notes;
    return element("div", { class: "heading" },
      element("h1", {}, badge(this.scenario.outcome), " ", element("span", { class: "name" }, name)),
      title && element("p", { class: "title" }, title),
      reason && element("p", {}, element("strong", {}, "Reason: "), reason),
      element("dl", { class: "facts" },
        fact("File", this.linker.position(path)), fact("Duration", durationText(duration)),
        tags.length > 0 && fact("Tags", tags.map((tag) =>
          element("a", { class: "tag", href: overviewHash({ ...NO_FILTERS, search: tag }) }, tag))),
        rules.length > 0 && fact("Rules", rules.map((rule) => this.ruleTag(rule)))),
      notes.map((note) => notice("quiet", prose(note), [])));
  }

  ruleTag(rule) {
    const isKnown = this.data.rules.has(rule);
    return element(isKnown ? "a" : "span", { class: "tag", href: isKnown && ruleHash(rule) }, rule);
  }

  contents(sections) {
    return element("nav", { class: "contents", "aria-label": "Parts of the page" }, sections.map((part) =>
      button(part.querySelector("h2").firstChild.textContent, () => {
        part.scrollIntoView({ block: "start" });
        part.querySelector("h2").focus({ preventScroll: true });
      }, { class: "link" })));
  }

  // Sections

  failure() {
    const { text = "", warnings = [] } = this.scenario;
    const texts = [text, ...warnings.map((warning) => warning.text ?? warning.message ?? "")].map(outdented).filter(Boolean);
    if (texts.length === 0) return undefined;
    const title = isWrong(this.scenario.outcome) ? "Failure" : "Report";
    const content = () => element("div", {}, texts.map((part) =>
      element("pre", { class: "text", tabindex: "0", "aria-label": title }, wrappedText(part, this.linker))));
    // The text repeats the differences.
    const isRepetition = this.details.differences.length > 0;
    return section("failure", title, isRepetition ? disclosure("As in the terminal", false, content) : content());
  }

  differences() {
    const { differences } = this.details;
    if (differences.length === 0) return undefined;
    return section("differences", "Differences",
      shortened(differences, 50, "differences", (difference) => differenceCard(difference, this.linker, this.scenario)));
  }

  files() {
    const { files } = this.details;
    if (files.length === 0) return undefined;
    return section("files", "Files", files.map((file, index) => {
      // A mark without a line is about the file as a whole, as for a missing golden file. The failure says it.
      const marks = this.marks.filter((mark) => mark.path === file.path && mark.line !== undefined);
      const part = disclosure(fileSummary(file, marks), index === 0 || marks.length > 0, () =>
        textContent(this.data.text(file), (text) => codeLines(text, marks, `file-${index}`)));
      part.id = `file-${index}`;
      return part;
    }));
  }

  /** The lines of files with their errors and warnings. */
  get marks() {
    const { errors = [], warnings = [] } = this.scenario;
    if (errors.length > 0) return [...errors, ...warnings];
    const differences = this.details.differences.filter((difference) => difference.line !== undefined)
      .map(({ path, line, headline }) => ({ path, line, severity: "error", message: headline }));
    return [...differences, ...warnings];
  }

  responses() {
    const { responses } = this.details;
    if (responses.length === 0) return undefined;
    return section("responses", "Responses", shortened(responses, 200, "responses", (response, index) => {
      const part = disclosure(responseSummary(response, this.details.responseNames[index]), responses.length === 1, () => this.response(response));
      part.id = `response-${index}`;
      return part;
    }));
  }

  response(response) {
    const rows = (response.headers ?? []).map(([name, value]) =>
      element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)));
    return element("div", {},
      response.path && element("p", { class: "quiet" }, "Declared at ", this.linker.position(response.path, response.line)),
      response.requires && element("p", { class: "quiet" }, "Requires ", this.linker.linked(response.requires)),
      rows.length > 0 && element("div", { class: "scrolling" },
        element("table", { class: "headers", "aria-label": "Headers" }, element("tbody", {}, rows))),
      !response.failure && textContent(this.data.text(response, "body"), (text) => codeLines(text), "The response has no body."));
  }

  journal() {
    const { steps } = this.details;
    if (steps.length === 0) return undefined;
    const entries = steps.flatMap((step) => requestsOf(step).map((request) => ({ step: step.number, request })));
    return section("journal", "Journal of requests",
      entries.length > 0 ? requestTable(entries, this.details) : empty("The scenario sent no requests."));
  }

  // Keys

  handleKey(event) {
    // The arrows scroll blocks that are wider than the page.
    if (!this.scenario || event.target.closest("pre, .code, .drawing")) return false;
    const moves = { ArrowLeft: -1, ArrowRight: 1 };
    if (moves[event.key]) {
      this.chooseStep(this.steps.step + moves[event.key]);
      return true;
    }
    const neighbors = { j: 1, k: -1 };
    if (neighbors[event.key]) {
      const found = this.report.selected();
      const other = found[found.indexOf(this.scenario) + neighbors[event.key]];
      if (other) this.report.go(scenarioHash(other.name));
      return true;
    }
    return false;
  }
}

const NO_DETAILS = "The report contains no details of this scenario, because the scenario was interrupted, or because the report was"
  + " merged from JSON reports without details. `recordspec run --details --report json=FILE` writes details.";

function fact(name, value) {
  return value !== "" && value !== undefined && element("div", {}, element("dt", {}, name), element("dd", {}, value));
}

/** Returns a text without the indentation that all of its lines have. */
function outdented(text) {
  const lines = text.trimEnd().replace(/^\n+/, "").split("\n");
  const indentations = lines.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length);
  const least = indentations.reduce((least, indentation) => Math.min(least, indentation), Infinity);
  return lines.map((line) => line.slice(least)).join("\n");
}

/** Returns what `made` makes of a text, or a sentence if the report does not contain it, or if it is empty. */
function textContent(text, made, missing = "The report does not contain this text.") {
  if (text === undefined) return empty(missing);
  return text === "" ? empty("The text is empty.") : made(text);
}

function fileSummary({ path, kind }, marks) {
  const errors = marks.filter((mark) => mark.severity !== "warning").length;
  const warnings = marks.length - errors;
  return [
    element("span", { class: "name" }, path), " ", element("span", { class: "tag" }, kind ?? "file"), " ",
    errors > 0 && element("span", { class: "tag bad" }, `✗ ${counted(errors, "error")}`), " ",
    warnings > 0 && element("span", { class: "tag warning" }, `! ${counted(warnings, "warning")}`),
  ];
}

function responseSummary({ line, status, failure, delay, repeated, optional }, name) {
  const facts = [
    status !== undefined && !failure && String(status), failure, delay && `delay ${delay}`, repeated && "repeated",
    optional && "optional",
  ].filter(Boolean);
  return [
    element("span", { class: "name" }, name), facts.map((text) => [" ", element("span", { class: "tag" }, text)]),
    line !== undefined && [" ", element("span", { class: "quiet" }, `line ${line}`)],
  ];
}

/** Returns the requests of a step and of the entries of its batch. */
function requestsOf({ requests = [], batch = [] }) {
  return [...requests, ...batch.flatMap(requestsOf)];
}

/** Returns a difference with the expected and the actual value side by side. */
function differenceCard(difference, linker, scenario) {
  const { headline, kind, source, step, request, path, line, count, remarks = [], examples = [] } = difference;
  const where = [
    linker.position(path, line), { golden: "golden file", graph: "graph" }[source],
    step !== undefined && element("a", { href: stepHash(scenario.name, step) }, `step ${step}`),
    request !== undefined && `request ${request}`, count > 1 && `${grouped(count)} times`,
  ].filter(Boolean);
  // Equal differences have the values of the first ones as examples.
  const compared = [sides(difference), ...examples.map(sides)].filter(Boolean);
  return element("article", { class: "difference", "aria-label": headline },
    element("h3", {}, headline, " ", kind && element("span", { class: "tag" }, kind)),
    where.length > 0 && element("p", { class: "quiet where" }, where.map((part) => element("span", {}, part))),
    compared,
    remarks.map((remark) => element("p", compared.length > 0 ? { class: "quiet" } : {}, linker.linked(remark))));
}

/** Returns the values of a difference side by side, below what they belong to; undefined if it has no values. */
function sides({ subject, expected, actual, missing, extra }) {
  // Missing values are expected, and extra ones are actual.
  const [left, right] = [sideText(expected, missing), sideText(actual, extra)];
  if (left === undefined && right === undefined) return undefined;
  const values = element("div", { class: "sides" }, side("Expected", "−", left, right), side("Actual", "+", right, left));
  return subject === undefined ? values : element("div", { class: "example" }, element("h4", {}, subject), values);
}

function sideText(value, list = []) {
  const lines = [...(value === undefined ? [] : [value]), ...list];
  return lines.length > 0 ? lines.join("\n") : undefined;
}

function side(name, sign, value, other) {
  const content = value === undefined
    ? element("p", { class: "nothing" }, "nothing") : element("pre", {}, emphasized(value, other));
  return element("div", { class: `side ${name.toLowerCase()}` },
    element("h4", {}, element("span", { "aria-hidden": "true" }, `${sign} `), name), content);
}

/** Returns a text with the part marked that differs from the other text, if they have a part in common. */
function emphasized(text, other) {
  if (other === undefined || text === other) return [text];
  if (text.includes("\n") || other.includes("\n")) return emphasizedLines(text.split("\n"), new Set(other.split("\n")));
  const [own, others] = [[...text], [...other]];
  const shorter = Math.min(own.length, others.length);
  let start = 0;
  while (start < shorter && own[start] === others[start]) start += 1;
  let end = 0;
  while (end < shorter - start && own.at(-1 - end) === others.at(-1 - end)) end += 1;
  if (start + end === 0) return [text];
  const last = own.length - end;
  return [own.slice(0, start).join(""), element("mark", {}, own.slice(start, last).join("")), own.slice(last).join("")];
}

/** Returns lines with those marked that the other text does not have, if they have lines in common. */
function emphasizedLines(lines, others) {
  const isMarked = lines.some((line) => others.has(line));
  return lines.flatMap((line, index) =>
    [index > 0 && "\n", isMarked && !others.has(line) ? element("mark", {}, line) : line].filter(Boolean));
}
