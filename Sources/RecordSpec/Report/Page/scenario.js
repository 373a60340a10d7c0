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
      this.failure(), this.differences(), this.steps.element, this.files(), this.responses(), this.journal(),
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
    const { note } = this.details;
    return element("div", { class: "heading" },
      element("h1", {}, badge(this.scenario), " ", element("span", { class: "name" }, name)),
      title && element("p", { class: "title" }, title),
      reason && element("p", {}, element("strong", {}, "Reason: "), reason),
      element("dl", { class: "facts" },
        fact("File", this.linker.position(path)), fact("Duration", durationText(duration)),
        tags.length > 0 && fact("Tags", tags.map((tag) =>
          element("a", { class: "tag", href: overviewHash({ ...NO_FILTERS, search: tag }) }, tag))),
        rules.length > 0 && fact("Rules", rules.map((rule) => element("a", { class: "tag", href: ruleHash(rule) }, rule)))),
      note && notice("quiet", note, []));
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
    if (!this.details.text.trim()) return undefined;
    const title = isWrong(this.scenario) || this.scenario.outcome === "expectedFailure" ? "Failure" : "Report";
    return section("failure", title, textBlock(this.linker.linked(outdented(this.details.text)), title));
  }

  differences() {
    const { differences } = this.details;
    if (differences.length === 0) return undefined;
    return section("differences", "Differences",
      shortened(differences, 50, "differences", (difference) => differenceCard(difference, this.linker, this.scenario)));
  }

  files() {
    const { files, marks } = this.details;
    if (files.length === 0) return section("files", "Files", empty("The report contains no files of this scenario."));
    return section("files", "Files", files.map((file, index) => {
      const own = marks.filter((mark) => mark.path === file.path);
      const wrong = own.length > 0 && element("span", { class: "tag bad" }, `✗ ${counted(own.length, "mark")}`);
      const part = disclosure([element("span", { class: "name" }, file.path), " ", wrong], index === 0 || own.length > 0, () =>
        fileText(this.data.text(file), (text) => codeLines(text, own, `file-${index}`)));
      part.id = `file-${index}`;
      return part;
    }));
  }

  responses() {
    const { responses } = this.details;
    if (responses.length === 0) return undefined;
    return section("responses", "Responses", shortened(responses, 200, "responses", (response) => {
      const index = responses.indexOf(response);
      const summary = [element("span", { class: "name" }, response.name), " ",
        response.status !== undefined && element("span", { class: "tag" }, String(response.status))];
      const part = disclosure(summary, responses.length === 1, () => this.response(response));
      part.id = `response-${index}`;
      return part;
    }));
  }

  response(response) {
    const headers = response.headers ?? [];
    const headerRows = headers.map(([name, value]) =>
      element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)));
    return element("div", {},
      response.file && element("p", { class: "quiet" }, "Declared at ", this.linker.position(response.file, response.line)),
      headers.length > 0 && element("div", { class: "scrolling" },
        element("table", { class: "headers", "aria-label": "Headers" }, element("tbody", {}, headerRows))),
      fileText(this.data.text(response), (text) => codeLines(text)));
  }

  journal() {
    const entries = this.details.steps.flatMap((step) =>
      (step.requests ?? []).map((request) => ({ step: step.number, request })));
    if (this.details.steps.length === 0) return undefined;
    return section("journal", "Journal of requests",
      entries.length > 0 ? requestTable(entries, this.details, "journal-table") : empty("The scenario sent no requests."));
  }

  // Keys

  handleKey(event) {
    if (!this.scenario) return false;
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

function fact(name, value) {
  return value !== "" && value !== undefined && element("div", {}, element("dt", {}, name), element("dd", {}, value));
}

function textBlock(parts, label) {
  return element("pre", { class: "text", tabindex: "0", "aria-label": label }, parts);
}

/** Returns a text without the indentation that all of its lines have. */
function outdented(text) {
  const lines = text.replace(/^\n+|\s+$/g, "").split("\n");
  const indentation = Math.min(...lines.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(indentation)).join("\n");
}

/** Returns what `made` makes of a text, or a sentence if the report does not contain it or it is empty. */
function fileText(text, made) {
  if (text === undefined) return empty("The report does not contain this text.");
  return text === "" ? empty("Empty.") : made(text);
}

/** Returns a difference with the expected and the actual value side by side. */
function differenceCard({ text, kind, source, step, record, property, expected, actual, path, file, line }, linker, scenario) {
  const target = [record, property].filter(Boolean).join(".");
  const where = [
    linker.position(path ?? file, line),
    source === "golden" && "golden file", source === "graph" && "graph",
    step !== undefined && element("a", { href: stepHash(scenario.name, step) }, `step ${step}`),
  ].filter(Boolean);
  return element("article", { class: "difference", "aria-label": text ?? target },
    element("h3", {}, text ?? target, " ", kind && element("span", { class: "tag" }, kind)),
    where.length > 0 && element("p", { class: "quiet where" }, where),
    element("div", { class: "sides" }, side("Expected", "−", expected, actual), side("Actual", "+", actual, expected)));
}

function side(name, sign, value, other) {
  const content = value === undefined ? element("p", { class: "nothing" }, "nothing") : element("pre", {}, emphasized(value, other));
  return element("div", { class: `side ${name.toLowerCase()}` },
    element("h4", {}, element("span", { "aria-hidden": "true" }, `${sign} `), name), content);
}

/** Returns a text with the part that differs from the other text marked. */
function emphasized(text, other) {
  if (other === undefined || text === other) return [text];
  const [own, others] = [[...text], [...other]];
  const shorter = Math.min(own.length, others.length);
  let start = 0;
  while (start < shorter && own[start] === others[start]) start += 1;
  let end = 0;
  while (end < shorter - start && own.at(-1 - end) === others.at(-1 - end)) end += 1;
  const last = own.length - end;
  return [own.slice(0, start).join(""), element("mark", {}, own.slice(start, last).join("")), own.slice(last).join("")];
}
