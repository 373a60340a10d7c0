/** The page of the rules, with the scenarios that prove them and their outcomes. */
class RulesPage {
  constructor(report) {
    this.report = report;
    this.data = report.data;
    this.search = "";
    this.selection = "";
  }

  get title() {
    return "Rules";
  }

  show(main, { id }) {
    if (!this.isShown) this.build(main);
    this.isShown = true;
    if (id) this.showRule(id);
  }

  close() {
    this.isShown = false;
  }

  showRule(id) {
    const shown = document.getElementById(`rule-${id}`);
    for (const other of document.querySelectorAll(".rule.chosen")) other.classList.remove("chosen");
    if (!shown) return;
    shown.hidden = false;
    shown.closest("section").hidden = false;
    shown.classList.add("chosen");
    shown.scrollIntoView({ block: "center" });
    shown.focus({ preventScroll: true });
  }

  build(main) {
    this.count = element("p", { class: "count", role: "status" });
    this.groups = [...Map.groupBy(this.data.rules, (rule) => rule.id.split(".", 1)[0])].map(([name, rules]) => this.group(name, rules));
    main.replaceChildren(
      this.heading(),
      element("div", { class: "tools" }, this.selectionField(), this.searchField()),
      this.count, ...this.groups);
    this.update();
  }

  heading() {
    const { rules } = this.data;
    if (rules.length === 0) return element("div", { class: "heading" }, element("h1", {}, "Rules"), empty("The report has no rules."));
    const proven = rules.filter((rule) => rule.scenarios?.length > 0).length;
    const tested = rules.filter((rule) => !rule.scenarios?.length && rule.tests?.length > 0).length;
    const planned = rules.filter((rule) => rule.marks?.includes("planned")).length;
    const facts = [
      `${grouped(proven)} proven by scenarios`, `${grouped(tested)} by tests`,
      planned > 0 && `${grouped(planned)} planned`, this.data.run.store && `store: ${this.data.run.store}`,
    ].filter(Boolean);
    return element("div", { class: "heading" },
      element("h1", {}, counted(rules.length, "rule")), element("p", { class: "quiet" }, facts.join(" · ")));
  }

  selectionField() {
    const choices = [["", "All"], ["uncovered", "Without scenarios"]];
    if (!this.data.isRulesOnly) choices.splice(1, 0, ["wrong", "With failures"]);
    return choice("Rules", "rules", choices, this.selection, (selection) => {
      this.selection = selection;
      this.update();
    });
  }

  searchField() {
    return element("label", { class: "search" },
      element("span", { class: "hidden" }, "Search the rules"),
      element("input", {
        type: "search", id: "search", placeholder: "Search the rules", value: this.search, autocomplete: "off", spellcheck: "false",
        input: (event) => {
          this.search = event.target.value;
          this.update();
        },
      }));
  }

  /** Hides the rules that are not selected, and the groups without a selected rule. */
  update() {
    const matches = matcher(this.search);
    const isSelected = (rule) => matches(this.searchedText(rule)) && (this.selection === ""
      || (this.selection === "uncovered" ? !rule.scenarios?.length : this.hasFailure(rule)));
    const selected = new Set(this.data.rules.filter(isSelected).map((rule) => `rule-${rule.id}`));
    for (const group of this.groups) {
      const rules = [...group.querySelectorAll(".rule")];
      for (const rule of rules) rule.hidden = !selected.has(rule.id);
      group.hidden = rules.every((rule) => rule.hidden);
    }
    const { length } = this.data.rules;
    this.count.textContent = selected.size === length ? "" : selected.size === 0 && length > 0
      ? "No rule matches." : `${grouped(selected.size)} of ${counted(length, "rule")}`;
  }

  searchedText(rule) {
    rule.searched ??= searched([rule.id, rule.title, rule.group, ...(rule.scenarios ?? []).map((scenario) => scenario.name)]);
    return rule.searched;
  }

  hasFailure(rule) {
    return (rule.scenarios ?? []).some((scenario) => scenario.outcome && isWrong(scenario));
  }

  group(name, rules) {
    const title = rules.find((rule) => rule.group)?.group;
    return section(`group-${name}`, title ? `${name}: ${title}` : name, rules.map((rule) => this.rule(rule)));
  }

  rule(rule) {
    const marks = (rule.marks ?? []).map((mark) => element("span", { class: "tag" }, mark));
    return element("article", { class: "rule", id: `rule-${rule.id}`, tabindex: "-1", "aria-label": rule.id },
      element("h3", {}, element("a", { class: "name", href: ruleHash(rule.id) }, rule.id), " ", marks),
      element("p", {}, prose(rule.title ?? "")),
      rule.difference && element("p", { class: "quiet" }, element("strong", {}, "MMRecord: "), prose(rule.difference)),
      this.proofs(rule));
  }

  proofs(rule) {
    const scenarios = rule.scenarios ?? [];
    const tests = rule.tests ?? [];
    if (scenarios.length === 0) {
      return element("p", { class: "quiet" }, tests.length > 0 ? `Proven by the tests ${tests.join(", ")}.` : "No scenario covers the rule.");
    }
    return element("div", {}, this.tally(scenarios),
      element("ul", { class: "proofs", "aria-label": `Scenarios of ${rule.id}` },
        shortened(scenarios, 24, "scenarios", (scenario) => element("li", {}, this.proof(scenario)))));
  }

  /** Returns the numbers of scenarios by outcome, if the scenarios were run. */
  tally(scenarios) {
    const run = scenarios.filter((scenario) => scenario.outcome);
    if (run.length === 0) return undefined;
    const texts = [...OUTCOMES].map(([outcome, { name, sign }]) =>
      [run.filter((scenario) => scenario.outcome === outcome).length, `${sign} ${name.toLowerCase()}`])
      .filter(([count]) => count > 0).map(([count, text]) => `${grouped(count)} ${text}`);
    return element("p", { class: "quiet" }, texts.join(" · "));
  }

  proof(scenario) {
    const { sign, tone, name } = outcomeOf(scenario);
    if (this.data.isRulesOnly) return element("span", { class: "proof" }, scenario.name);
    const parts = [
      element("span", { class: `sign ${tone}`, "aria-hidden": "true" }, sign),
      element("span", { class: "hidden" }, `${name}: `), " ", scenario.name,
    ];
    return this.data.scenariosByName.has(scenario.name)
      ? element("a", { class: `proof ${tone}`, href: scenarioHash(scenario.name), title: name }, parts)
      : element("span", { class: `proof ${tone}`, title: name }, parts);
  }

  handleKey(event) {
    const moves = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
    const move = moves[event.key];
    if (move === undefined) return false;
    const shown = [...document.querySelectorAll(".rule:not([hidden])")];
    const index = shown.findIndex((rule) => rule.contains(document.activeElement));
    const next = shown[index < 0 ? 0 : index + move];
    next?.scrollIntoView({ block: "nearest" });
    next?.focus({ preventScroll: true });
    return true;
  }
}
