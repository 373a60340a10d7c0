/** The outcomes in the order of their importance, each with its words, its sign and its tone. */
const OUTCOMES = new Map([
  ["broken", { name: "Broken", sign: "‼", tone: "bad" }],
  ["invalid", { name: "Invalid", sign: "!", tone: "bad" }],
  ["failed", { name: "Failed", sign: "✗", tone: "bad" }],
  ["unexpected-pass", { name: "Unexpected pass", sign: "?", tone: "bad" }],
  ["new", { name: "New", sign: "+", tone: "warning" }],
  ["expected-failure", { name: "Expected failure", sign: "≈", tone: "good" }],
  ["passed", { name: "Passed", sign: "✓", tone: "good" }],
  ["skipped", { name: "Skipped", sign: "–", tone: "quiet" }],
]);

function describedOutcome(outcome) {
  return OUTCOMES.get(outcome) ?? { name: "Not run", sign: "·", tone: "quiet" };
}

function isWrong(outcome) {
  return ["bad", "warning"].includes(describedOutcome(outcome).tone);
}

/** The JSON elements of the document. Details and shared texts are parsed when they are needed. */
class ReportData {
  constructor() {
    this.damaged = 0;
    this.run = this.parsedElement("run") ?? {};
    this.scenarios = this.parsedElements("scenario");
    this.problems = this.parsedElements("problem");
    this.summary = this.parsedElement("summary");
    this.groups = this.parsedElement("rules") ?? [];
    this.rules = new Map(this.groups.flatMap((group) => group.rules ?? []).map((rule) => [rule.id, rule]));
    this.scenariosByName = new Map();
    for (const scenario of this.scenarios) {
      if (!this.scenariosByName.has(scenario.name)) this.scenariosByName.set(scenario.name, scenario);
      scenario.searched = searched([scenario.name, scenario.title, ...(scenario.tags ?? []), ...(scenario.rules ?? [])]);
    }
  }

  get isRulesOnly() {
    return this.run.kind === "rules";
  }

  /** Whether a scenario covers a rule, so that the page of the rules says something about the suite. */
  get usesRules() {
    return this.scenarios.some(({ rules = [] }) => rules.length > 0);
  }

  get stores() {
    return this.run.stores ?? [];
  }

  /** A Boolean value that indicates whether the end of the report is missing, because the run was ended. */
  get isCutOff() {
    return !this.isRulesOnly && this.summary === undefined;
  }

  /** Returns the value of the JSON element with an identifier, or undefined if it is missing or cut off. */
  parsedElement(id) {
    const element = document.getElementById(id);
    return element ? this.parsed(element) : undefined;
  }

  parsedElements(kind) {
    return [...document.querySelectorAll(`script.${kind}`)].map((element) => this.parsed(element)).filter(Boolean);
  }

  parsed(element) {
    try {
      return JSON.parse(element.textContent);
    } catch {
      this.damaged += 1;
      return undefined;
    }
  }

  /** Returns the details of a scenario. Only those of the last scenario are kept. */
  details(scenario) {
    if (this.lastDetails?.index !== scenario.index) {
      const members = this.parsedElement(`details-${scenario.index}`);
      this.lastDetails = { index: scenario.index, details: new Details(members, this) };
    }
    return this.lastDetails.details;
  }

  /** Returns a text that a member of an item contains, or that it names because scenarios share it. */
  text(item, member = "text") {
    return item[member] ?? (item.digest === undefined ? undefined : this.parsedElement(`text-${item.digest}`));
  }

  /** Returns the scenarios that prove a rule, in the order of the report. */
  scenariosProving(rule) {
    this.scenariosByRule ??= groupedBy(this.scenarios.flatMap((scenario) =>
      (scenario.rules ?? []).map((id) => ({ id, scenario }))), ({ id }) => id);
    return (this.scenariosByRule.get(rule.id) ?? []).map(({ scenario }) => scenario);
  }

  /** Returns the outcomes of a scenario by store. */
  outcomes(scenario) {
    if (scenario.outcome) return new Map([[this.stores[0] ?? "", scenario.outcome]]);
    return new Map(Object.entries(scenario.outcomes ?? {}));
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

function groupedBy(items, key) {
  const groups = new Map();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
