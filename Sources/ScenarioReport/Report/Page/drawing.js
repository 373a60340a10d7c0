/** The drawing of the records at a step. The report contains the positions of its nodes and edges. */
class Drawing {
  /**
   * `measures` are those of the texts; `mode` is "changes", "before" or "after"; `open` is called with the label of a clicked
   * record.
   */
  constructor(drawing, measures, mode, before, after, open) {
    this.drawing = drawing;
    this.measures = measures;
    this.mode = mode;
    this.before = before;
    this.after = after;
    this.open = open;
  }

  /** Returns the drawing in a frame that scrolls. */
  get element() {
    const { width, height, captions = [] } = this.drawing;
    // The frames of nodes at the edge are as wide as their lines.
    const size = { viewBox: `-2 -2 ${width + 4} ${height + 4}`, width: width + 4, height: height + 4 };
    const svg = shape("svg", { ...size, role: "group", "aria-label": captions.join("; ") },
      this.edges.map((edge) => this.line(edge)), this.nodes.map((node) => this.box(node)),
      this.edges.map((edge) => this.edgeText(edge)));
    return element("div", { class: "drawing", tabindex: "0", role: "group", "aria-label": "Drawing of the records" }, svg);
  }

  get nodes() {
    return (this.drawing.nodes ?? []).filter((node) => this.isShown(node));
  }

  get edges() {
    return (this.drawing.edges ?? []).filter((edge) => this.isShown(edge));
  }

  isShown(part) {
    return !({ before: ["inserted"], after: ["deleted"] }[this.mode] ?? []).includes(part.change);
  }

  /** Returns the change that a part shows: the states before and after a step show no changes. */
  change(part) {
    return this.mode === "changes" ? part.change ?? "none" : "none";
  }

  line(edge) {
    const change = this.change(edge);
    return shape("g", { class: change },
      shape("path", { class: "edge-line", d: edge.line }),
      (edge.heads ?? []).map((head) => shape("path", { class: "edge-head", d: head })));
  }

  edgeText(edge) {
    return this.text(this.shownText(edge.text ?? "", edge.change), `edge ${this.change(edge)}`, edge.x, edge.y);
  }

  box(node) {
    const change = this.change(node);
    const label = node.label;
    const [title = "", ...others] = node.lines ?? [];
    const lines = [this.shownText(title, node.change), ...others.map((line) => this.lineOf(node, line))];
    const { lineHeight, padding, descent, signs } = this.measures;
    const top = node.y + (node.height - lines.length * lineHeight) / 2 - descent;
    const style = (line, index) => (index === 0 ? "node-name" : line.startsWith(signs.updated) ? "" : "quiet");
    const texts = lines.map((line, index) => this.text(line, style(line, index), node.x + padding, top + (index + 1) * lineHeight));
    const opens = label !== undefined && {
      tabindex: "0", role: "button", "aria-label": `Explain ${label}`,
      click: () => this.open(label),
      keydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        this.open(label);
      },
    };
    return shape("g", { class: `node ${change}`, ...(opens || {}) },
      shape("rect", { x: node.x, y: node.y, width: node.width, height: node.height, rx: 5 }), texts);
  }

  text(text, style, x, y) {
    return shape("text", { class: style, x, y }, text);
  }

  /** Returns a text without the sign of a change, unless the drawing shows changes. */
  shownText(text, change) {
    const sign = this.mode === "changes" ? undefined : this.measures.signs[change];
    return sign && text.startsWith(sign) ? text.slice(sign.length) : text;
  }

  /** Returns a line of a node. In the states before and after a step, a changed property has its value at that time. */
  lineOf(node, line) {
    const { columnWidth, padding, signs } = this.measures;
    if (this.mode === "changes" || !line.startsWith(signs.updated)) return line;
    const name = line.slice(signs.updated.length, line.indexOf(": "));
    const properties = this[this.mode].get(node.label)?.properties;
    if (!this.before.get(node.label)?.properties.has(name) && !properties?.has(name)) return line.slice(signs.updated.length);
    const text = `${name}: ${valueText(properties.get(name)).replace(/\s+/g, " ")}`;
    const room = Math.floor((node.width - 2 * padding) / columnWidth);
    return text.length > room ? `${text.slice(0, room - 1)}…` : text;
  }
}
