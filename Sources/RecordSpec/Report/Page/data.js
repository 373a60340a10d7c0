/** The outcomes in the order of their importance, each with its words, its sign and its color. */
const OUTCOMES = new Map([
  ["broken", { name: "Broken", sign: "‼", tone: "bad" }],
  ["invalid", { name: "Invalid", sign: "!", tone: "bad" }],
  ["failed", { name: "Failed", sign: "✗", tone: "bad" }],
  ["unexpectedPass", { name: "Unexpected pass", sign: "?", tone: "bad" }],
  ["new", { name: "New", sign: "+", tone: "warning" }],
  ["expectedFailure", { name: "Expected failure", sign: "≈", tone: "good" }],
  ["passed", { name: "Passed", sign: "✓", tone: "good" }],
  ["skipped", { name: "Skipped", sign: "–", tone: "quiet" }],
]);

function outcomeOf(scenario) {
  return OUTCOMES.get(scenario.outcome) ?? { name: "Not run", sign: "·", tone: "quiet" };
}

/** The JSON elements of the document. Details and shared texts are parsed when they are needed. */
class ReportData {
  constructor() {
    this.run = this.parsed(document.getElementById("run")) ?? {};
    this.scenarios = [];
    this.damaged = 0;
    for (const element of document.querySelectorAll("script.scenario")) {
      const scenario = this.parsed(element);
      if (scenario) this.scenarios.push(scenario);
      else this.damaged += 1;
    }
    this.summary = this.parsed(document.getElementById("summary"));
    this.rules = this.parsed(document.getElementById("rules")) ?? [];
    this.rulesByID = new Map(this.rules.map((rule) => [rule.id, rule]));
    this.scenariosByName = new Map();
    for (const scenario of this.scenarios) {
      if (!this.scenariosByName.has(scenario.name)) this.scenariosByName.set(scenario.name, scenario);
      scenario.searched = searched([scenario.name, scenario.title, ...(scenario.tags ?? []), ...(scenario.rules ?? [])]);
    }
    this.openedDetails = new Map();
  }

  get isRulesOnly() {
    return this.run.kind === "rules";
  }

  /** A Boolean value that indicates whether the end of the report is missing, because the run was ended. */
  get isCutOff() {
    return !this.isRulesOnly && this.summary === null;
  }

  /** Returns the value of a JSON element, or null if it is missing or cut off. */
  parsed(element) {
    try {
      return element && JSON.parse(element.textContent);
    } catch {
      return null;
    }
  }

  details(scenario) {
    if (!this.openedDetails.has(scenario.index)) {
      const parsed = this.parsed(document.getElementById(`details-${scenario.index}`));
      this.openedDetails.clear();
      this.openedDetails.set(scenario.index, new Details(parsed ?? {}, this));
    }
    return this.openedDetails.get(scenario.index);
  }

  /** Returns the text of a file, a body or a request, which may be shared with other scenarios. */
  text(item) {
    if (item.text !== undefined) return item.text;
    return item.digest === undefined ? undefined : this.parsed(document.getElementById(`text-${item.digest}`)) ?? undefined;
  }
}

/** Returns the text that a search looks in. A line break separates its parts, so that no word is found across them. */
function searched(parts) {
  return parts.filter(Boolean).join("\n").toLowerCase();
}

/** Returns a function that indicates whether a searched text contains all words. */
function matcher(search) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => words.every((word) => text.includes(word));
}

/** The details of a scenario. */
class Details {
  constructor(members, data) {
    this.text = members.text ?? "";
    this.note = members.note;
    this.files = members.files ?? [];
    this.marks = members.marks ?? [];
    this.responses = members.responses ?? [];
    this.steps = members.steps ?? [];
    this.drawings = members.drawings ?? [];
    this.differences = members.differences ?? [];
    this.explanations = new Map(Object.entries(members.explanations ?? {}));
    this.graphs = members.graphs ?? [];
    this.data = data;
    this.states = [];
  }

  get lastStep() {
    return Math.max(this.steps.length, this.graphs.length - 1);
  }

  /** Returns the records after a step: a map from labels to records. Step 0 is the beginning. */
  records(step) {
    while (this.states.length <= step) this.states.push(this.nextRecords());
    return this.states[step];
  }

  nextRecords() {
    const records = new Map(this.states.at(-1));
    const change = this.graphs[this.states.length] ?? {};
    for (const label of change.removed ?? []) records.delete(label);
    const entities = new Map(Object.entries(change.entities ?? {}));
    for (const [label, properties] of Object.entries(change.records ?? {})) {
      const entity = entities.get(label) ?? records.get(label)?.entity ?? label.split("/", 1)[0];
      records.set(label, { label, entity, properties: new Map(Object.entries(properties)) });
    }
    return records;
  }

  /** Returns the lines that explain a record, or one of its properties; undefined if the report has none. */
  explanation(label, property) {
    const explanation = this.explanations.get(label);
    if (!explanation || property === undefined) return explanation?.record;
    return new Map(Object.entries(explanation.properties ?? {})).get(property);
  }
}

/** The change of a record between two states, with the names of its changed properties. */
function recordChange(before, after) {
  if (!before) return { kind: "inserted", sign: "+", changed: new Set() };
  if (!after) return { kind: "deleted", sign: "−", changed: new Set() };
  const changed = new Set();
  for (const [name, value] of after.properties) {
    if (!isSameValue(before.properties.get(name), value)) changed.add(name);
  }
  return changed.size > 0 ? { kind: "updated", sign: "~", changed } : { kind: "none", sign: "", changed };
}

function isSameValue(first, second) {
  return JSON.stringify(first ?? null) === JSON.stringify(second ?? null);
}

const NOTHING = "–";

/** Returns a value as one line of text. */
function valueText(value) {
  if (value === null || value === undefined) return NOTHING;
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value.to)) return value.to.length > 0 ? value.to.join(", ") : NOTHING;
  return String(value.to ?? value.text ?? NOTHING);
}

function valueType(value) {
  if (value === null || value === undefined) return "no value";
  if (typeof value !== "object") return "string";
  if (value.to !== undefined) return Array.isArray(value.to) ? "to-many relationship" : "to-one relationship";
  return value.type ?? "";
}
