/** Makes the positions in a text links to lines of the scenario's files, and the identifiers of rules links to the rules. */
class Linker {
  constructor(scenario, details) {
    this.scenario = scenario;
    this.details = details;
    this.files = new Map(details.files.map((file, index) => [file.path, index]));
    const paths = [...this.files.keys()].sort((first, second) => second.length - first.length).map(escapedPattern);
    // Positions in the file of the scenario have no path. A group that matches nothing stands for the paths of no files.
    const parts = [
      `(?<path>${paths.join("|") || "(?!)"}):(?<line>\\d+)(?::\\d+)?`, "\\bline (?<ownLine>\\d+):\\d+",
      "(?<rule>\\b[a-z]+\\.[a-z][a-z0-9.-]*[a-z0-9]\\b)",
    ];
    this.pattern = new RegExp(parts.join("|"), "g");
  }

  /** Returns the parts of a text: strings and links. */
  linked(text) {
    const parts = [];
    let end = 0;
    for (const match of text.matchAll(this.pattern)) {
      const link = this.link(match);
      if (!link) continue;
      parts.push(text.slice(end, match.index), link);
      end = match.index + match[0].length;
    }
    parts.push(text.slice(end));
    return parts;
  }

  link({ 0: text, groups: { path, line, ownLine, rule } }) {
    const isKnown = rule === undefined || this.details.data.rules.has(rule);
    const href = rule === undefined ? this.lineHash(path ?? this.scenario.path, Number(line ?? ownLine)) : ruleHash(rule);
    return isKnown && href ? element("a", { href }, text) : undefined;
  }

  /** Returns the address of a line, or undefined if the report does not contain the file. */
  lineHash(path, line) {
    return this.files.has(path) ? `${scenarioHash(this.scenario.name)}/file/${this.files.get(path)}/${line}` : undefined;
  }

  /** Returns a position as a link, or as text if the report does not contain the file. */
  position(path, line) {
    if (path === undefined) return undefined;
    const text = line === undefined ? path : `${path}:${line}`;
    const href = this.lineHash(path, line ?? 1);
    return href ? element("a", { href, class: "position" }, text) : element("span", { class: "position" }, text);
  }
}

function escapedPattern(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** Returns a text whose lines are wrapped, apart from the lines of files, below which signs mark columns: `29 | pages: 213`. */
function wrappedText(text, linker) {
  const blocks = [];
  for (const line of text.split("\n")) {
    const kind = /^\s*\d* \|( |$)/.test(line) ? "excerpt" : "wrapped";
    if (blocks.at(-1)?.kind === kind) blocks.at(-1).lines.push(line);
    else blocks.push({ kind, lines: [line] });
  }
  return blocks.map(({ kind, lines }) => element("span", { class: kind }, linker.linked(lines.join("\n"))));
}

/** Returns a text with the code between backquotes as `code`. */
function prose(text) {
  return text.split("`").map((part, index) => (index % 2 === 1 ? element("code", {}, part) : part));
}

/** Returns the lines of a file with their numbers. `marks` are errors and warnings, which stand below their lines. */
function codeLines(text, marks = [], id = undefined) {
  const lines = text.replace(/(\r\n|\n|\r)$/, "").split(/\r\n|\n|\r/);
  const block = element("div", { class: "code", tabindex: "0", role: "group", "aria-label": "Lines of the file" });
  block.style.setProperty("--digits", String(String(lines.length).length));
  const marked = groupedBy(marks, (mark) => mark.line);
  // All marked lines are shown.
  const limit = [...marked.keys()].reduce((last, line) => Math.max(last, line), LINE_LIMIT);
  block.append(shortened(lines, limit, "lines", (line, index) => codeLine(line, index + 1, marked, id)));
  return block;
}

const LINE_LIMIT = 2000;

const toneOf = (mark) => (mark.severity === "warning" ? "warning" : "bad");

function codeLine(text, number, marked, id) {
  const marks = marked.get(number) ?? [];
  const tone = ["bad", "warning"].find((tone) => marks.some((mark) => toneOf(mark) === tone));
  const sign = { bad: "✗", warning: "!" }[tone];
  const line = element("div", { class: `line ${tone ?? ""}`, id: id && `${id}-${number}`, tabindex: id ? "-1" : undefined },
    element("span", { class: "number", "data-number": `${sign ? `${sign} ` : ""}${number}` }),
    element("code", {}, codeParts(text, marks)));
  return element("div", {}, line, marks.map((mark) => element("p", { class: `mark ${toneOf(mark)}` }, mark.message)));
}

/** Returns the text of a line with its marked columns. Columns count from 1, the end is not marked. */
function codeParts(text, marks) {
  const mark = marks.find((other) => other.column !== undefined && (other.endLine ?? other.line) === other.line);
  if (!mark) return [text];
  const characters = [...text];
  const [start, end] = [mark.column - 1, Math.max(mark.endColumn ?? mark.column + 1, mark.column + 1) - 1];
  return [
    characters.slice(0, start).join(""), element("mark", {}, characters.slice(start, end).join("")),
    characters.slice(end).join(""),
  ];
}
