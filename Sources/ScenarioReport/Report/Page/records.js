/** The records at a step as tables, one for each entity, with the changes of the step. */
class RecordTables {
  /**
   * `entities` has the names of the properties of each entity, in the order of the model. `open` is called when a value is
   * clicked, with the label and the name of the property, or without a name for the record.
   */
  constructor(entities, before, after, areChangesOnly, open) {
    this.entities = entities;
    this.before = before;
    this.after = after;
    this.areChangesOnly = areChangesOnly;
    this.open = open;
  }

  get elements() {
    const tables = [...this.rowsByEntity()].sort(([first], [second]) => (first < second ? -1 : 1))
      .map(([entity, rows]) => this.table(entity, rows));
    return tables.length > 0 ? tables : [empty(this.areChangesOnly ? "The step changed no records." : "There are no records.")];
  }

  rowsByEntity() {
    const rows = [];
    for (const record of this.after.values()) rows.push({ record, before: this.before.get(record.label) });
    for (const record of this.before.values()) {
      if (!this.after.has(record.label)) rows.push({ record, before: record, isDeleted: true });
    }
    for (const row of rows) row.change = recordChange(row.before, row.isDeleted ? undefined : row.record);
    const shown = this.areChangesOnly ? rows.filter((row) => row.change.kind !== "none") : rows;
    return groupedBy(shown.sort((first, second) => LABEL_ORDER.compare(first.record.label, second.record.label)),
      (row) => row.record.entity);
  }

  table(entity, rows) {
    const names = this.entities.get(entity) ?? [];
    const count = rows.filter((row) => !row.isDeleted).length;
    const columns = [element("span", { class: "hidden" }, "Change"), "label", ...names];
    const table = tableOf(columns, rows, ROW_LIMIT, "records", (row) => this.row(row, names), {
      role: "grid", "aria-label": `Records of ${entity}`, keydown: moveInGrid,
    });
    table.querySelector("tbody button")?.setAttribute("tabindex", "0");
    return element("div", { class: "entity" },
      element("h3", {}, `${entity}: ${counted(count, "record")}`), element("div", { class: "scrolling" }, table));
  }

  row({ record, before, isDeleted, change }, names) {
    const { label } = record;
    return element("tr", { class: change.kind },
      element("td", { class: "sign" }, change.sign, change.sign && element("span", { class: "hidden" }, change.kind)),
      element("th", { scope: "row" }, this.value(label, undefined, [isDeleted ? element("del", {}, label) : label])),
      names.map((name) => {
        const value = record.properties.get(name);
        const isChanged = change.changed.has(name);
        const old = isChanged ? [element("del", {}, valueText(before.properties.get(name))), " → "] : [];
        return element("td", { class: cellClass(value, isChanged) }, this.value(label, name, [...old, valueText(value)]));
      }));
  }

  value(label, property, texts) {
    const target = property === undefined ? label : `${label}.${property}`;
    return button(texts, (event) => this.open(label, property, event.currentTarget), {
      class: "value", tabindex: "-1", "data-value": target, title: texts.map((text) => text.textContent ?? text).join(""),
    });
  }
}

const ROW_LIMIT = 100;

/** Labels are ordered by their numbers: `Book/5` before `Book/10`. */
const LABEL_ORDER = new Intl.Collator("en", { numeric: true });

function cellClass(value, isChanged) {
  const isNumber = ["integer", "number", "double", "float", "decimal"].includes(typedValue(value)[0]);
  return `${isNumber ? "number" : ""} ${isChanged ? "changed" : ""} ${valueText(value) === NOTHING ? "nothing" : ""}`.trim();
}

/** Moves the focus between the values of a grid with the arrow keys. Only one of them is reached with Tab. */
function moveInGrid(event) {
  const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  // With a modifier, the keys belong to the browser, as for going back.
  const move = event.altKey || event.ctrlKey || event.metaKey ? undefined : moves[event.key];
  const cell = event.target.closest("td, th");
  if (!move || !cell) return;
  const rows = [...event.currentTarget.tBodies[0].rows];
  const row = rows[rows.indexOf(cell.parentElement) + move[0]];
  const target = row?.cells[cell.cellIndex + move[1]]?.querySelector("button");
  event.preventDefault();
  event.stopPropagation();
  if (!target) return;
  for (const other of event.currentTarget.querySelectorAll("button[tabindex='0']")) other.tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
}
