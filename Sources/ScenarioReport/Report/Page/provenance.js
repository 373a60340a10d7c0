/** The panel that explains where a record or a value comes from. */
class ProvenancePanel {
  constructor(panel) {
    this.panel = panel;
  }

  get isOpen() {
    return !this.panel.hidden;
  }

  /** Shows the provenance of a record, or of one of its properties, after a step. */
  open({ scenario, details, linker, step, label, property, origin }) {
    this.close();
    this.origin = origin;
    origin?.setAttribute("aria-expanded", "true");
    const target = property === undefined ? label : `${label}.${property}`;
    const heading = element("h2", { id: "provenance-title", tabindex: "-1" }, target);
    // A deleted record is explained by the step before.
    const isDeleted = step > 0 && details.records(step - 1).has(label) && !details.records(step).has(label);
    const facts = details.explanation(step, label, property);
    this.panel.replaceChildren(
      element("div", { class: "panel-bar" }, heading,
        button("✕", () => this.close(true), { class: "plain", "aria-label": "Close" })),
      element("p", { class: "quiet" }, step === 0 ? "Before the first step" : `After step ${step}`),
      ...(isDeleted ? [element("p", {}, `Step ${step} deleted ${label}.`)] : []),
      ...(property === undefined ? [] : valuesAt(details, step, label, property)),
      element("h3", {}, "Provenance"),
      facts.length > 0 ? factTable(facts, linker) : empty("The report does not contain the provenance."),
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

/** Returns the value of a property after a step, and the one before the step if it is another one. */
function valuesAt(details, step, label, property) {
  const before = step > 0 ? details.records(step - 1).get(label) : undefined;
  const after = details.records(step).get(label);
  const [old, value] = [before, after ?? before].map((record) => record?.properties.get(property));
  const parts = [valueBlock(value)];
  if (before && after && !isSameValue(old, value)) parts.push(element("p", { class: "quiet" }, "Before the step"), valueBlock(old));
  return parts;
}

function valueBlock(value) {
  const [type, text] = typedValue(value);
  return element("p", { class: "shown-value" }, element("span", { class: "type" }, type), " ", text);
}

function factTable(facts, linker) {
  return element("table", { class: "provenance", "aria-label": "Facts" }, element("tbody", {}, facts.map(([name, text]) =>
    element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, linker.linked(text ?? ""))))));
}
