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
    // The suites of users need not cover rules.
    this.hasCoverage = [...this.data.rules.values()].some((rule) => this.isCovered(rule));
    this.count = element("p", { class: "count", role: "status" });
    this.groups = this.data.groups.map((group) => this.group(group));
    main.replaceChildren(
      this.heading(),
      element("div", { class: "tools" }, this.selectionField(), this.searchField(), this.count),
      ...this.groups);
    this.update();
  }

  heading() {
    const rules = [...this.data.rules.values()];
    if (rules.length === 0) {
      return element("div", { class: "heading" }, element("h1", {}, "Rules"), empty("The report has no rules."));
    }
    const proven = rules.filter((rule) => this.isCovered(rule)).length;
    const tested = rules.filter((rule) => !this.isCovered(rule) && rule.provenBy).length;
    const planned = rules.filter((rule) => rule.planned).length;
    const facts = [
      proven > 0 && `${grouped(proven)} with scenarios`, tested > 0 && `${grouped(tested)} proven by tests`,
      planned > 0 && `${grouped(planned)} planned`, storesText(this.data.stores),
    ].filter(Boolean);
    return element("div", { class: "heading" },
      element("h1", {}, counted(rules.length, "rule")), element("p", { class: "quiet" }, facts.join(" · ")),
      !this.hasCoverage && element("p", {}, prose("These are the rules of the engine, which its own suite proves. "
        + "A scenario of your suite may name the rules that it proves in `covers`.")));
  }

  isCovered(rule) {
    return this.data.scenariosProving(rule).length > 0;
  }

  hasFailure(rule) {
    return this.data.scenariosProving(rule).some((scenario) => [...this.data.outcomes(scenario).values()].some(isWrong));
  }

  selectionField() {
    const choices = [["", "All"], ["covered", "With scenarios"], ["uncovered", "Without scenarios"]];
    if (this.data.stores.length > 0) choices.push(["wrong", "With failures"]);
    return choice("Rules", "rules", choices, this.selection, (selection) => {
      this.selection = selection;
      this.update();
    });
  }

  searchField() {
    return searchField("Search the rules", this.search, (search) => {
      this.search = search;
      this.update();
    });
  }

  /** Hides the rules that are not selected, and the groups without a selected rule. */
  update() {
    const matches = matcher(this.search);
    const isChosen = {
      "": () => true, covered: (rule) => this.isCovered(rule), uncovered: (rule) => !this.isCovered(rule),
      wrong: (rule) => this.hasFailure(rule),
    }[this.selection];
    const rules = [...this.data.rules.values()].filter((rule) => matches(this.searchedText(rule)) && isChosen(rule));
    const shown = new Set(rules.map((rule) => `rule-${rule.id}`));
    for (const group of this.groups) {
      const articles = [...group.querySelectorAll(".rule")];
      for (const article of articles) article.hidden = !shown.has(article.id);
      group.hidden = articles.every((article) => article.hidden);
    }
    const { size } = this.data.rules;
    this.count.textContent = shown.size === size ? ""
      : shown.size === 0 ? "No rule matches." : `${grouped(shown.size)} of ${counted(size, "rule")}`;
  }

  searchedText(rule) {
    rule.searched ??= searched([rule.id, rule.text, ...this.data.scenariosProving(rule).map((scenario) => scenario.name)]);
    return rule.searched;
  }

  group({ name, title, rules = [] }) {
    return section(`group-${name}`, title ? `${name}: ${title}` : name, rules.map((rule) => this.rule(rule)));
  }

  rule(rule) {
    const marks = ["planned", "differs", "new"].filter((mark) => rule[mark]);
    return element("article", { class: "rule", id: `rule-${rule.id}`, tabindex: "-1", "aria-label": rule.id },
      element("h3", {}, element("a", { class: "name", href: ruleHash(rule.id) }, rule.id), " ",
        marks.map((mark) => [element("span", { class: "tag" }, mark), " "])),
      element("p", {}, prose(rule.text ?? "")),
      rule.differs && element("p", { class: "quiet" }, element("strong", {}, "MMRecord: "), prose(rule.differs)),
      this.proofs(rule));
  }

  proofs(rule) {
    const scenarios = this.data.scenariosProving(rule);
    if (scenarios.length === 0) {
      const text = rule.provenBy ? `Proven by the tests ${rule.provenBy}.`
        : this.hasCoverage && "No scenario of this suite covers the rule.";
      return text && element("p", { class: "quiet" }, text);
    }
    const hasStores = this.data.stores.length > 1;
    return element("div", {}, this.tally(scenarios), hasStores ? this.storeTable(rule, scenarios) : this.list(rule, scenarios));
  }

  /** Returns the numbers of results by outcome, if the scenarios were run. */
  tally(scenarios) {
    const outcomes = groupedBy(scenarios.flatMap((scenario) => [...this.data.outcomes(scenario).values()]), (outcome) => outcome);
    const texts = [...OUTCOMES].filter(([outcome]) => outcomes.has(outcome))
      .map(([outcome, { name, sign }]) => `${sign} ${grouped(outcomes.get(outcome).length)} ${name.toLowerCase()}`);
    return texts.length > 0 && element("p", { class: "quiet" }, texts.join(" · "));
  }

  list(rule, scenarios) {
    const entry = (scenario) => {
      const [outcome] = this.data.outcomes(scenario).values();
      return [outcome && [this.result(outcome, true), " "], this.scenarioName(scenario)];
    };
    return element("ul", { class: "proofs", "aria-label": `Scenarios of ${rule.id}` },
      listItems(scenarios, 24, "scenarios", entry));
  }

  /** Returns the scenarios with their outcomes on several stores. */
  storeTable(rule, scenarios) {
    const { stores } = this.data;
    const row = (scenario) => {
      const outcomes = this.data.outcomes(scenario);
      return element("tr", {}, element("th", { scope: "row", class: "name" }, this.scenarioName(scenario)),
        stores.map((store) => element("td", {}, this.result(outcomes.get(store)))));
    };
    const names = ["scenario", ...stores];
    return element("div", { class: "scrolling" },
      tableOf(names, scenarios, 24, "scenarios", row, { "aria-label": `Scenarios of ${rule.id}` }));
  }

  /** Returns an outcome: its sign, and its name, which may be hidden. */
  result(outcome, isShort = false) {
    const { sign, tone, name } = describedOutcome(outcome);
    return element("span", { class: `result ${tone}`, title: name },
      element("span", { class: "sign", "aria-hidden": "true" }, sign), " ",
      element("span", { class: isShort ? "hidden" : "" }, name));
  }

  scenarioName(scenario) {
    return this.data.isRulesOnly ? scenario.name : element("a", { href: scenarioHash(scenario.name) }, scenario.name);
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
