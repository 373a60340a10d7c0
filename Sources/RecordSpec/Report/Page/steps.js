/** The steps of a scenario: a slider through time, and what the chosen step did. */
class Steps {
  /** `move` is called with the number of the step that the user chooses. */
  constructor(scenario, details, linker, panel, move) {
    this.scenario = scenario;
    this.details = details;
    this.linker = linker;
    this.panel = panel;
    this.move = move;
    this.mode = "changes";
    this.areChangesOnly = false;
    this.step = 0;
  }

  get element() {
    const { lastStep } = this.details;
    if (lastStep === 0 && this.details.graphs.length === 0) {
      return section("steps", "Steps", empty("The report contains no steps of this scenario."));
    }
    this.slider = element("input", {
      type: "range", id: "slider", min: 0, max: lastStep, step: 1, "aria-label": "Step",
      input: () => this.move(Number(this.slider.value)),
    });
    this.previous = button("‹", () => this.move(this.step - 1), { "aria-label": "Previous step" });
    this.next = button("›", () => this.move(this.step + 1), { "aria-label": "Next step" });
    this.list = element("ol", { class: "step-list", start: "0" });
    this.shown = element("div", { class: "step" });
    return section("steps", "Steps",
      element("div", { class: "slider" }, this.previous, this.slider, this.next),
      element("div", { class: "steps" }, this.list, this.shown));
  }

  /** Shows the state after a step. */
  show(step) {
    if (!this.slider) return;
    this.step = Math.min(Math.max(step, 0), this.details.lastStep);
    this.slider.value = String(this.step);
    this.slider.setAttribute("aria-valuetext", this.headline(this.step));
    this.previous.disabled = this.step === 0;
    this.next.disabled = this.step === this.details.lastStep;
    this.showList();
    this.showStep();
  }

  headline(step) {
    return step === 0 ? "Before the first step" : `Step ${step}: ${this.details.steps[step - 1]?.action ?? ""}`;
  }

  showList() {
    if (this.list.childElementCount === 0) {
      for (let step = 0; step <= this.details.lastStep; step += 1) this.list.append(element("li", {}, this.listEntry(step)));
    }
    [...this.list.children].forEach((entry, index) => {
      if (index === this.step) entry.firstChild.setAttribute("aria-current", "step");
      else entry.firstChild.removeAttribute("aria-current");
    });
    const current = this.list.children[this.step];
    // Scrolls the list, but not the page.
    const bottom = current.offsetTop + current.offsetHeight;
    if (current.offsetTop < this.list.scrollTop) this.list.scrollTop = current.offsetTop;
    if (bottom > this.list.scrollTop + this.list.clientHeight) this.list.scrollTop = bottom - this.list.clientHeight;
  }

  listEntry(step) {
    const description = this.details.steps[step - 1];
    const count = description?.diagnostics?.length ?? 0;
    return element("a", { href: stepHash(this.scenario.name, step) },
      element("span", { class: "step-number" }, String(step)),
      element("span", {}, step === 0 ? "Before the first step" : description?.action ?? ""),
      count > 0 && element("span", { class: "tag warning", title: counted(count, "diagnostic") }, `! ${count}`));
  }

  showStep() {
    const { step, details } = this;
    const description = details.steps[step - 1];
    this.before = step > 0 ? details.records(step - 1) : new Map();
    this.after = details.records(step);
    if (step === 0) this.before = this.after;
    this.tables = element("div", { class: "tables" });
    this.picture = element("div", {});
    this.shown.replaceChildren(
      element("h3", { class: "step-title", role: "status" }, this.headline(step)),
      ...this.facts(description), ...this.diagnostics(description), ...this.requests(description),
      ...this.drawing(), ...this.records());
  }

  facts(description) {
    const facts = description?.facts ?? [];
    return facts.length > 0 ? [element("p", { class: "facts" }, facts.map((fact) => element("span", {}, this.linker.linked(fact))))] : [];
  }

  diagnostics(description) {
    const diagnostics = description?.diagnostics ?? [];
    if (diagnostics.length === 0) return [];
    return [element("ul", { class: "diagnostics" }, shortened(diagnostics, 20, "diagnostics", ({ code, text }) =>
      element("li", {}, element("span", { class: "tag warning" }, `! ${code}`), " ", this.linker.linked(text ?? ""))))];
  }

  requests(description) {
    const requests = description?.requests ?? [];
    return requests.length > 0 ? [requestTable(requests.map((request) => ({ request })), this.details, `step-${this.step}`)] : [];
  }

  drawing() {
    if (!this.details.drawings[this.step]) return [];
    const { folded, isFolded, caption = [], nodes = [] } = this.details.drawings[this.step];
    if (nodes.length === 0) return [];
    const modes = [["changes", "Changes"], ["before", "Before"], ["after", "After"]];
    const canCompare = this.step > 0 && !(folded ?? isFolded) && nodes.some((node) => node.label !== undefined);
    this.showDrawing(canCompare ? this.mode : "changes");
    return [element("figure", {},
      element("figcaption", {}, element("span", {}, caption.at(-1) ?? "Records"),
        canCompare && choice("Drawing", "drawing", modes, this.mode, (mode) => {
          this.mode = mode;
          this.showDrawing(mode);
        })),
      this.picture)];
  }

  showDrawing(mode) {
    const open = (label) => this.open(label, undefined, document.activeElement);
    this.picture.replaceChildren(
      new Drawing(this.details.drawings[this.step], mode, this.before, this.after, open).element);
  }

  records() {
    if (this.details.graphs.length === 0) return [];
    const toggle = this.step > 0 && element("label", { class: "toggle" },
      element("input", {
        type: "checkbox", checked: this.areChangesOnly,
        change: (event) => {
          this.areChangesOnly = event.target.checked;
          this.showTables();
        },
      }), " Changes only");
    this.showTables();
    return [element("div", { class: "records-bar" }, element("h3", {}, "Records"), toggle), this.tables];
  }

  showTables() {
    const open = (label, property, origin) => this.open(label, property, origin);
    const areChangesOnly = this.areChangesOnly && this.step > 0;
    this.tables.replaceChildren(...new RecordTables(this.before, this.after, areChangesOnly, open).elements);
  }

  open(label, property, origin) {
    const { scenario, details, linker, step } = this;
    this.panel.open({ scenario, details, linker, step, label, property, origin });
  }
}

/** Returns the requests as a table. The number of the step is a column if the requests have one. */
function requestTable(entries, details, id) {
  const hasSteps = entries.some((entry) => entry.step !== undefined);
  const responses = new Map(details.responses.map((response, index) => [response.name, index]));
  const row = ({ step, request }) => element("tr", {},
    hasSteps && element("td", { class: "number" }, step === undefined ? "" : String(step)),
    element("td", {}, request.method ?? ""), element("td", { class: "wide" }, request.url ?? ""),
    element("td", {}, request.status === undefined ? NOTHING : String(request.status)),
    element("td", {}, responses.has(request.response)
      ? button(request.response, () => openResponse(responses.get(request.response)), { class: "link" }) : request.response ?? NOTHING),
    element("td", { class: "wide" }, details.data.text(request) ?? ""));
  const names = [hasSteps && "step", "method", "address", "status", "response", "events"].filter(Boolean);
  return element("div", { class: "scrolling" }, element("table", { class: "requests", id, "aria-label": "Requests" },
    element("thead", {}, element("tr", {}, names.map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, shortened(entries, 200, "requests", row))));
}

function openResponse(index) {
  const response = document.getElementById(`response-${index}`);
  if (!response) return;
  reveal(response);
  response.scrollIntoView({ block: "start" });
  response.querySelector("summary").focus({ preventScroll: true });
}
