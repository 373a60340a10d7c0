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
      return section("steps", "Steps", empty(STEPLESS[this.scenario.outcome] ?? "The report contains no steps of this scenario."));
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
    const { line, action } = this.details.steps[step - 1] ?? {};
    return step === 0 ? "Before the first step" : `Step ${step}: ${line ?? action ?? ""}`;
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
    const count = description?.remarks?.length ?? 0;
    return element("a", { href: stepHash(this.scenario.name, step) },
      element("span", { class: "step-number" }, String(step)),
      element("span", {}, step === 0 ? "Before the first step" : description?.action ?? ""),
      count > 0 && element("span", { class: "tag warning", title: counted(count, "remark") }, `! ${count}`));
  }

  showStep() {
    const { step, details } = this;
    const description = details.steps[step - 1];
    this.after = details.records(step);
    this.before = step > 0 ? details.records(step - 1) : this.after;
    this.tables = element("div", { class: "tables" });
    this.picture = element("div", {});
    this.shown.replaceChildren(
      element("h3", { class: "step-title", role: "status" }, this.headline(step)),
      ...(description ? this.description(description) : []), ...this.drawing(), ...this.records());
  }

  /** Returns what a step, or an entry of a batch, did: its remarks, records and requests. */
  description({ remarks = [], labels = [], batch = [], requests = [] }) {
    return [
      remarks.length > 0 && element("ul", { class: "remarks" }, listItems(remarks, 20, "remarks", (remark) => this.remark(remark))),
      labels.length > 0 && element("dl", { class: "labels" }, labels.map((entry) => this.labelList(entry))),
      batch.length > 0 && element("ol", { class: "batch" }, batch.map((entry) =>
        element("li", {}, element("p", {}, entry.line ?? entry.action ?? ""), this.description(entry)))),
      requests.length > 0 && requestTable(requests.map((request) => ({ request })), this.details),
    ].filter(Boolean);
  }

  remark(text) {
    return [element("span", { class: "sign warning", "aria-hidden": "true" }, "!"), element("span", {}, this.linker.linked(text))];
  }

  /** Returns labels of a kind. If the report does not contain all of them, it has their number. */
  labelList([kind, labels, total]) {
    return element("div", {}, element("dt", {}, kind), element("dd", {},
      shortened(labels, 12, "labels", (label) => this.labelButton(label)),
      total !== undefined && element("span", { class: "quiet" }, `${grouped(labels.length)} of ${grouped(total)} labels`)));
  }

  labelButton(label) {
    return button(label, (event) => this.open(label, undefined, event.currentTarget), { class: "link name" });
  }

  drawing() {
    if (!this.details.drawings[this.step]) return [];
    const { folded, captions = [], nodes = [] } = this.details.drawings[this.step];
    if (nodes.length === 0) return [];
    const modes = [["changes", "Changes"], ["before", "Before"], ["after", "After"]];
    const canCompare = this.step > 0 && !folded && nodes.some((node) => node.label !== undefined);
    this.showDrawing(canCompare ? this.mode : "changes");
    return [element("figure", {},
      element("figcaption", {}, element("span", {}, captions.at(-1) ?? "Records"),
        canCompare && choice("Drawing", "drawing", modes, this.mode, (mode) => {
          this.mode = mode;
          this.showDrawing(mode);
        })),
      this.picture)];
  }

  showDrawing(mode) {
    const open = (label) => this.open(label, undefined, document.activeElement);
    this.picture.replaceChildren(
      new Drawing(this.details.drawings[this.step], this.details.measures, mode, this.before, this.after, open).element);
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
    this.tables.replaceChildren(...new RecordTables(this.details.entities, this.before, this.after, areChangesOnly, open).elements);
  }

  open(label, property, origin) {
    const { scenario, details, linker, step } = this;
    this.panel.open({ scenario, details, linker, step, label, property, origin });
  }
}

/** The reasons why scenarios with some outcomes have no steps. */
const STEPLESS = {
  invalid: "The scenario is invalid, so it was not run.",
  skipped: "The scenario was skipped.",
  broken: "The scenario could not be run.",
};

/** Returns requests as a table, without the columns that are empty. */
function requestTable(entries, details) {
  const columns = [
    ["step", ({ step }) => step],
    ["method", ({ request }) => request.method],
    ["address", ({ request }) => addressParts(request)],
    ["status", ({ request }) => request.status],
    ["response", ({ request }) => responseLink(request, details)],
    ["sent", ({ request }) => sentParts(request, details)],
  ].filter(([, content]) => entries.some((entry) => content(entry) !== undefined));
  const row = (entry) => element("tr", {}, columns.map(([name, content]) =>
    element("td", { class: name === "address" || name === "sent" ? "wide" : "" }, content(entry) ?? NOTHING)));
  const names = columns.map(([name]) => name);
  return element("div", { class: "scrolling" },
    tableOf(names, entries, 200, "requests", row, { class: "requests", "aria-label": "Requests" }));
}

function addressParts({ url = "", redirectedFrom }) {
  return [url, redirectedFrom && element("p", { class: "quiet" }, `redirected from ${redirectedFrom}`)];
}

function responseLink(request, details) {
  const name = details.responseNames[request.responseIndex];
  return name && button(name, () => openResponse(request.responseIndex), { class: "link" });
}

/** Returns the headers and the body of a request, which are shown when they are opened. */
function sentParts(request, details) {
  const headers = request.headers ?? [];
  const body = details.data.text(request, "body");
  const names = [headers.length > 0 && counted(headers.length, "header"), body !== undefined && "body"].filter(Boolean);
  if (names.length === 0) return undefined;
  return disclosure(names.join(", "), false, () => element("pre", { class: "sent" },
    [...headers.map(([name, value]) => `${name}: ${value}`), ...(body === undefined ? [] : ["", body])].join("\n")));
}

function openResponse(index) {
  const response = document.getElementById(`response-${index}`);
  if (!response) return;
  reveal(response);
  response.scrollIntoView({ block: "start" });
  response.querySelector("summary").focus({ preventScroll: true });
}
