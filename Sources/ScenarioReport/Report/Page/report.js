const NO_FILTERS = { outcome: "", search: "", sort: "" };

// Addresses

function encodedPath(name) {
  return encodeURIComponent(name).replaceAll("%2F", "/");
}

function scenarioHash(name) {
  return `#scenario/${encodedPath(name)}`;
}

function stepHash(name, step) {
  return `${scenarioHash(name)}/step/${step}`;
}

function ruleHash(id) {
  return `#rules/${encodeURIComponent(id)}`;
}

function overviewHash(filters) {
  const parameters = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== "" && value !== undefined));
  const text = parameters.toString();
  return text ? `#?${text}` : "#";
}

/** Shows the page for the address, and passes keys to it. */
class Report {
  constructor() {
    this.data = new ReportData();
    this.buildFrame();
    this.filters = { ...NO_FILTERS };
    this.pages = { overview: new Overview(this), scenario: new ScenarioPage(this), rules: new RulesPage(this) };
    this.positions = new Map();
    history.scrollRestoration = "manual";
    window.addEventListener("hashchange", () => this.route());
    window.addEventListener("scroll", () => this.positions.set(this.address, window.scrollY), { passive: true });
    // A link must find the address that it leaves.
    document.addEventListener("click", () => this.finishReplacement(), { capture: true });
    document.addEventListener("keydown", (event) => this.handleKey(event));
    this.route();
  }

  // Frame

  buildFrame() {
    const pages = this.data.isRulesOnly ? [["rules", "#", "Rules"]]
      : [["overview", "#", "Scenarios"], ...(this.data.usesRules ? [["rules", "#rules", "Rules"]] : [])];
    this.links = new Map(pages.map(([name, href, text]) => [name, element("a", { href }, text)]));
    this.main = element("main", { id: "main", tabindex: "-1" });
    this.help = this.helpDialog();
    const panel = element("aside", { id: "provenance", class: "panel", "aria-labelledby": "provenance-title", hidden: true });
    this.panel = new ProvenancePanel(panel);
    document.body.prepend(
      element("a", {
        class: "skip", href: "#main",
        click: (event) => {
          event.preventDefault();
          this.main.focus();
        },
      }, "Skip to the content"),
      element("header", { class: "bar" },
        element("a", { class: "brand", href: "#" }, "RecordSpec"),
        element("nav", { "aria-label": "Pages" }, [...this.links.values()]),
        button([element("span", { "aria-hidden": "true" }, "? "), "Keys"], () => this.help.showModal(), {
          class: "plain", "aria-haspopup": "dialog",
        })),
      this.main, panel, this.help);
    document.body.classList.add("ready");
  }

  helpDialog() {
    const keys = [
      ["/", "search"], ["j or ↓, k or ↑", "next and previous row; in a scenario, j and k open the next and the previous one"],
      ["Enter", "open the row, or explain the value"], ["← and →", "previous and next step of a scenario"],
      ["arrow keys in a table", "move between values"], ["Escape", "close the explanation, or return to the list"],
      ["?", "this help"],
    ];
    const dialog = element("dialog", { id: "help", "aria-labelledby": "help-title" },
      element("h2", { id: "help-title" }, "Keys"),
      element("dl", {}, keys.map(([key, effect]) => element("div", {}, element("dt", {}, key), element("dd", {}, effect)))),
      button("Close", () => dialog.close()));
    return dialog;
  }

  // Navigation

  get hash() {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return location.hash.slice(1);
    }
  }

  go(hash) {
    this.finishReplacement();
    location.hash = hash;
  }

  /** Replaces the address after a pause, because browsers limit how often it changes. */
  replaceHash(hash) {
    clearTimeout(this.timer);
    this.replacement = hash;
    this.timer = setTimeout(() => this.finishReplacement(), 200);
  }

  finishReplacement() {
    if (this.replacement === undefined) return;
    history.replaceState(null, "", this.replacement);
    this.replacement = undefined;
    this.address = location.hash;
  }

  /** Returns the page and its parameters for an address. */
  destination() {
    const { hash } = this;
    if (this.data.isRulesOnly || hash === "rules" || hash.startsWith("rules/")) {
      return ["rules", { id: hash.startsWith("rules/") ? hash.slice("rules/".length) : undefined }];
    }
    if (hash.startsWith("scenario/")) return ["scenario", this.scenarioDestination(hash.slice("scenario/".length))];
    // The parameters are decoded by URLSearchParams.
    const parameters = new URLSearchParams(location.hash.startsWith("#?") ? location.hash.slice(2) : "");
    const filters = Object.fromEntries(Object.keys(NO_FILTERS).map((name) => [name, parameters.get(name) ?? ""]));
    this.filters = filters;
    return ["overview", filters];
  }

  /** Returns the parts of an address. The name of a scenario may look like the address of a step. */
  scenarioDestination(text) {
    if (this.data.scenariosByName.has(text)) return { name: text };
    const step = /^(.*)\/step\/(\d+)$/s.exec(text);
    if (step) return { name: step[1], step: Number(step[2]) };
    const line = /^(.*)\/file\/(\d+)\/(\d+)$/s.exec(text);
    return line ? { name: line[1], file: Number(line[2]), line: Number(line[3]) } : { name: text };
  }

  route() {
    this.replacement = undefined;
    const [name, parameters] = this.destination();
    const page = this.pages[name];
    const isOther = page !== this.page || (name === "scenario" && parameters.name !== this.shownName);
    if (page !== this.page) this.page?.close();
    this.page = page;
    this.shownName = parameters.name;
    this.address = location.hash;
    if (isOther) window.scrollTo(0, 0);
    page.show(this.main, parameters);
    for (const [other, link] of this.links) {
      if (other === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.title = `${page.title} – RecordSpec`;
    if (isOther) this.restorePosition(name, parameters);
  }

  /**
   * Scrolls the overview to where it was, and focuses the scenario that was shown. Other pages begin at the top, unless the
   * address names a part of them.
   */
  restorePosition(name, parameters) {
    if (name === "overview") {
      window.scrollTo(0, this.positions.get(this.address) ?? 0);
      this.pages.overview.list.update();
      this.pages.overview.focus(this.pages.scenario.last);
    }
    if (document.activeElement === document.body && parameters.line === undefined && parameters.id === undefined) {
      this.main.focus({ preventScroll: true });
    }
  }

  // Selection

  /** Returns the scenarios that match filters, in their order. */
  select({ outcome, search, sort }) {
    const matches = matcher(search);
    const found = this.data.scenarios.filter((scenario) =>
      (outcome === "" || scenario.outcome === outcome) && matches(scenario.searched));
    if (sort === "duration") return found.sort((first, second) => (second.duration ?? 0) - (first.duration ?? 0));
    if (sort === "plan") return found;
    const ranks = new Map([...OUTCOMES.keys()].map((name, index) => [name, index]));
    const rank = (scenario) => (isWrong(scenario.outcome) ? ranks.get(scenario.outcome) ?? 0 : ranks.size);
    return found.sort((first, second) => rank(first) - rank(second));
  }

  /** Returns the scenarios in the list from which the user came. */
  selected() {
    const key = JSON.stringify(this.filters);
    if (this.selectedKey !== key) {
      this.selectedKey = key;
      this.selectedScenarios = this.select(this.filters);
    }
    return this.selectedScenarios;
  }

  // Keys

  handleKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (this.help.open) return;
    if (event.key === "Escape") return this.leave();
    if (usesKey(event.target, event.key)) return;
    if (this.isGeneralKey(event.key) || this.page.handleKey(event)) event.preventDefault();
  }

  isGeneralKey(key) {
    if (key === "?") {
      this.help.showModal();
      return true;
    }
    if (key !== "/") return false;
    if (!document.getElementById("search")) this.go(overviewHash(this.filters));
    // The address changes after this event.
    setTimeout(() => document.getElementById("search")?.focus());
    return true;
  }

  /** Closes the panel, leaves the search, or returns to the list. */
  leave() {
    if (this.panel.isOpen) this.panel.close(true);
    else if (document.activeElement?.id === "search") document.activeElement.blur();
    else if (this.page === this.pages.scenario) this.go(overviewHash(this.filters));
  }
}

/** Returns whether an element uses a key itself: a text field uses all keys, and a choice or slider those that change it. */
function usesKey(target, key) {
  const field = target.closest("input, select, textarea");
  if (!field) return false;
  return !["radio", "checkbox", "range"].includes(field.type) || /^(Arrow.*|Home|End|Page.*|Enter| )$/.test(key);
}

document.addEventListener("DOMContentLoaded", () => new Report());
