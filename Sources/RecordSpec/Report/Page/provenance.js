/** The panel that explains where a record or a value comes from. */
class ProvenancePanel {
  constructor() {
    this.panel = document.getElementById("provenance");
  }

  get isOpen() {
    return !this.panel.hidden;
  }

  /** Shows the provenance of a record, or of one of its properties, at a step. */
  open({ scenario, details, linker, step, label, property, origin }) {
    this.close();
    this.origin = origin;
    origin?.setAttribute("aria-expanded", "true");
    const target = property === undefined ? label : `${label}.${property}`;
    const heading = element("h2", { id: "provenance-title", tabindex: "-1" }, target);
    const lines = details.explanation(label, property);
    this.panel.replaceChildren(
      element("div", { class: "panel-bar" }, heading, button("✕", () => this.close(true), { class: "plain", "aria-label": "Close" })),
      ...(property === undefined ? [] : valueAt(details, step, label, property)),
      element("h3", {}, "Provenance"),
      lines?.length > 0 ? provenanceTable(lines, linker) : empty("The report does not contain the provenance."),
      ...laterNote(details, step, label, property),
      element("p", { class: "quiet" }, "On the command line: ",
        element("code", {}, `recordspec explain ${scenario.name} ${target}`)));
    this.panel.hidden = false;
    document.body.classList.add("has-panel");
    this.panel.scrollTop = 0;
    heading.focus();
  }

  /** Closes the panel. `isByUser` returns the focus to the value. */
  close(isByUser = false) {
    if (!this.isOpen) return;
    this.panel.hidden = true;
    document.body.classList.remove("has-panel");
    this.origin?.removeAttribute("aria-expanded");
    if (isByUser && this.origin?.isConnected) this.origin.focus();
    this.origin = undefined;
  }
}

function valueAt(details, step, label, property) {
  const before = step > 0 ? details.records(step - 1).get(label) : undefined;
  const after = details.records(step).get(label);
  const value = (after ?? before)?.properties.get(property);
  const old = before?.properties.get(property);
  const parts = [element("p", { class: "quiet" }, step === 0 ? "Before the first step" : `After step ${step}`)];
  if (!after) parts.push(element("p", {}, `The step deleted ${label}.`));
  parts.push(valueBlock(value));
  if (before && after && !isSameValue(old, value)) {
    parts.push(element("p", { class: "quiet" }, "Before the step"), valueBlock(old));
  }
  return parts;
}

function valueBlock(value) {
  return element("p", { class: "shown-value" }, element("span", { class: "type" }, valueType(value)), " ", valueText(value));
}

/** Returns a note if the provenance, which is that of the last step, is not that of the shown value. */
function laterNote(details, step, label, property) {
  if (step >= details.lastStep) return [];
  const shown = details.records(step).get(label)?.properties.get(property);
  const last = details.records(details.lastStep).get(label)?.properties.get(property);
  if (property !== undefined && isSameValue(shown, last)) return [];
  return [element("p", { class: "quiet" }, "The provenance describes the end of the scenario, after the last step.")];
}

/** Returns lines as a table: the kind of the fact, and its text. The columns are separated by two or more spaces. */
function provenanceTable(lines, linker) {
  return element("table", { class: "provenance" }, element("tbody", {}, lines.map((line) => {
    const [, name, text] = /^(.*?)(?: {2,}(.*))?$/s.exec(line);
    return element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, linker.linked(text ?? "")));
  })));
}
