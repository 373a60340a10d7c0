/** The list of scenarios with the counts of the run, its filters and its search. */
class Overview {
  constructor(report) {
    this.report = report;
    this.data = report.data;
  }

  get title() {
    return "Scenarios";
  }

  /** Shows the page for the filters in the address. */
  show(main, filters) {
    this.filters = filters;
    this.list?.close();
    this.list = new VirtualList("Scenarios", ROW_HEIGHT, (scenario) => this.row(scenario));
    this.count = element("p", { class: "count", role: "status" });
    this.noMatch = empty("No scenario matches.");
    main.replaceChildren(
      this.heading(), ...this.notices(),
      element("div", { class: "tools" }, this.outcomeFilter(), this.searchField(), this.sortField(), this.count),
      this.noMatch, this.list.element);
    this.update();
  }

  close() {
    this.list?.close();
  }

  // Heading

  heading() {
    const { run, summary, scenarios } = this.data;
    const wrong = scenarios.filter((scenario) => isWrong(scenario.outcome)).length;
    const facts = [
      durationText(summary?.duration), storesText(this.data.stores), run.shard && `shard ${run.shard}`,
      run.version && `recordspec ${run.version}`,
    ].filter(Boolean);
    return element("div", { class: "heading" },
      element("h1", {}, this.headline(wrong)),
      element("p", { class: "quiet" }, facts.join(" · ")),
      scenarios.length > 0 && this.proportions());
  }

  headline(wrong) {
    const { summary, scenarios } = this.data;
    if (scenarios.length === 0) return "No scenario was run";
    if (wrong > 0) return `${grouped(wrong)} of ${counted(scenarios.length, "scenario")} failed`;
    const hasErrors = this.data.problems.some((problem) => problem.severity === "error");
    if (this.data.isCutOff || hasErrors || (summary?.status ?? 0) !== 0) {
      return "No scenario failed, but the run has problems";
    }
    const haveAllPassed = scenarios.every((scenario) => scenario.outcome === "passed");
    return `${scenarios.length === 1 ? "1 scenario" : `All ${grouped(scenarios.length)} scenarios`} `
      + (haveAllPassed ? "passed" : scenarios.length === 1 ? "is as expected" : "are as expected");
  }

  /** Returns a bar with the shares of good, bad and other outcomes. The counts of the filter say the same in words. */
  proportions() {
    const bar = element("div", { class: "proportions", "aria-hidden": "true" });
    for (const [outcome, count] of this.counts()) {
      const part = element("span", { class: OUTCOMES.get(outcome).tone });
      part.style.flexGrow = String(count);
      bar.append(part);
    }
    return bar;
  }

  counts() {
    const counts = new Map([...OUTCOMES.keys()].map((outcome) => [outcome, 0]));
    for (const scenario of this.data.scenarios) counts.set(scenario.outcome, (counts.get(scenario.outcome) ?? 0) + 1);
    return [...counts].filter(([outcome, count]) => count > 0 && OUTCOMES.has(outcome));
  }

  notices() {
    const { summary, damaged } = this.data;
    const notices = [];
    if (this.data.isCutOff) {
      notices.push(notice("warning", "The report is incomplete, because the run was ended before its last scenario.", []));
    } else if (damaged > 0) {
      notices.push(notice("bad", `The report is damaged: ${counted(damaged, "part")} cannot be read.`, []));
    }
    for (const [severity, tone] of [["error", "bad"], ["warning", "warning"]]) {
      const texts = this.data.problems.filter((problem) => problem.severity === severity)
        .map((problem) => element("pre", {}, outdented(problem.text ?? problem.message ?? "")));
      if (texts.length > 0) notices.push(notice(tone, `${counted(texts.length, severity)} outside the scenarios`, texts));
    }
    const obsolete = summary?.obsolete ?? [];
    if (obsolete.length > 0) {
      notices.push(notice("warning", `${counted(obsolete.length, "golden file")} without a scenario`, obsolete));
    }
    const others = [
      summary?.unfinished && `${counted(summary.unfinished, "scenario was", "scenarios were")} not finished.`,
      summary?.notRun && `${counted(summary.notRun, "scenario was", "scenarios were")} not run.`,
    ].filter(Boolean);
    if (others.length > 0) notices.push(notice("warning", others.join(" "), []));
    return notices;
  }

  // Filters

  outcomeFilter() {
    const choices = [["", `All ${grouped(this.data.scenarios.length)}`]];
    for (const [outcome, count] of this.counts()) {
      const { name, sign } = OUTCOMES.get(outcome);
      choices.push([outcome, `${sign} ${name} ${grouped(count)}`]);
    }
    return choice("Outcome", "outcome", choices, this.filters.outcome, (outcome) => this.setFilter({ outcome }));
  }

  searchField() {
    return searchField("Search for a name, title, tag or rule", this.filters.search, (search) => this.setFilter({ search }), {
      keydown: (event) => this.leaveSearch(event),
    });
  }

  leaveSearch(event) {
    if (event.key !== "ArrowDown" && event.key !== "Enter") return;
    event.preventDefault();
    this.list.focus(0);
  }

  sortField() {
    const options = [["outcome", "Failures first"], ["plan", "Order of the run"], ["duration", "Slowest first"]];
    return element("label", { class: "sort" }, "Sort ",
      element("select", { id: "sort", change: (event) => this.setFilter({ sort: event.target.value }) },
        options.map(([value, text]) => element("option", { value, selected: value === this.filters.sort }, text))));
  }

  setFilter(change) {
    Object.assign(this.filters, change);
    this.report.replaceHash(overviewHash(this.filters));
    this.update();
  }

  /** Gives the focus to the row of a scenario, if it is in the window. */
  focus(scenario) {
    this.list.rows.get(this.list.items.indexOf(scenario))?.querySelector("a").focus({ preventScroll: true });
  }

  update() {
    const found = this.report.select(this.filters);
    this.list.show(found);
    this.noMatch.hidden = found.length > 0;
    this.noMatch.textContent = this.data.scenarios.length > 0 ? "No scenario matches." : "The report has no scenarios.";
    this.count.textContent = found.length === this.data.scenarios.length
      ? "" : `${grouped(found.length)} of ${counted(this.data.scenarios.length, "scenario")}`;
  }

  // Rows

  row(scenario) {
    const tags = (scenario.tags ?? []).map((tag) => element("span", { class: "tag" }, tag));
    return element("a", { href: scenarioHash(scenario.name), title: scenario.title ?? scenario.name },
      badge(scenario.outcome),
      element("span", { class: "texts" },
        element("span", { class: "name" }, scenario.name),
        element("span", { class: "quiet" }, description(scenario))),
      element("span", { class: "tags" }, tags),
      element("span", { class: "duration" }, durationText(scenario.duration)));
  }

  // Keys

  handleKey(event) {
    const moves = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
    const move = moves[event.key];
    if (move === undefined) return false;
    this.list.focus(this.list.focused < 0 ? this.list.firstVisible : this.list.focused + move);
    return true;
  }
}

/** The height of a row, which report.css also has. */
const ROW_HEIGHT = 56;

/** Returns the title of a scenario, with its reason or its first error. A damaged scenario may have no title. */
function description({ title, reason, errors = [], text = "" }) {
  const cause = reason ?? errors[0]?.message.split("\n", 1)[0];
  if (title === undefined) return cause ?? text.trim().split("\n", 1)[0];
  return cause === undefined ? title : `${title} (${cause})`;
}

/** Returns the sign and the word of an outcome. */
function badge(outcome) {
  const { name, sign, tone } = describedOutcome(outcome);
  return element("span", { class: `badge ${tone}` }, element("span", { class: "sign", "aria-hidden": "true" }, sign), name);
}

function notice(tone, headline, lines) {
  return element("div", { class: `notice ${tone}`, role: "note" },
    element("strong", {}, headline),
    lines.length > 0 && element("ul", {}, listItems(lines, 20, "lines", (line) => line)));
}

function storesText(stores) {
  return stores.length > 0 ? `${stores.length === 1 ? "store" : "stores"}: ${stores.join(", ")}` : undefined;
}
