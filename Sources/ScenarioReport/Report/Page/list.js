/** A list in the scrolled page that creates only the rows in the window. All rows have the same height. */
class VirtualList {
  /** `label` names the list; `createRow` returns the content of the row of an item. */
  constructor(label, rowHeight, createRow) {
    this.rowHeight = rowHeight;
    this.createRow = createRow;
    this.items = [];
    this.rows = new Map();
    this.element = element("div", { class: "rows", role: "list", "aria-label": label });
    this.isPrinting = false;
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    const update = () => this.update();
    window.addEventListener("scroll", update, { signal, passive: true });
    window.addEventListener("resize", update, { signal });
    window.addEventListener("beforeprint", () => this.setPrinting(true), { signal });
    window.addEventListener("afterprint", () => this.setPrinting(false), { signal });
  }

  close() {
    this.listeners.abort();
  }

  show(items) {
    this.items = items;
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.element.style.height = `${items.length * this.rowHeight}px`;
    this.update();
  }

  setPrinting(isPrinting) {
    this.isPrinting = isPrinting;
    this.update();
  }

  /** Returns the indices of the first row in or near the window, and of the one after the last. */
  window() {
    if (this.isPrinting) return [0, this.items.length];
    const top = -this.element.getBoundingClientRect().top;
    const first = Math.floor(top / this.rowHeight) - 8;
    const last = Math.ceil((top + window.innerHeight) / this.rowHeight) + 8;
    return [Math.max(0, first), Math.min(this.items.length, last)];
  }

  update() {
    const [first, end] = this.window();
    for (const [index, row] of this.rows) {
      // The row with the focus stays, so that the focus is not lost.
      if ((index < first || index >= end) && !row.contains(document.activeElement)) {
        row.remove();
        this.rows.delete(index);
      }
    }
    // Only the row with the focus can be outside of the window. New rows are inserted backwards, each before the one after it,
    // so that the order of the elements is that of the items.
    let next = [...this.rows].find(([index]) => index >= end)?.[1] ?? null;
    for (let index = end - 1; index >= first; index -= 1) {
      const row = this.rows.get(index) ?? this.createdRow(index);
      if (row.parentNode === null) this.element.insertBefore(row, next);
      next = row;
    }
  }

  createdRow(index) {
    const row = element("div", {
      class: "row", role: "listitem", "aria-setsize": this.items.length, "aria-posinset": index + 1,
    }, this.createRow(this.items[index]));
    row.style.transform = `translateY(${index * this.rowHeight}px)`;
    this.rows.set(index, row);
    return row;
  }

  /** The index of the first row that is completely in the window, below the bar of the page. */
  get firstVisible() {
    return Math.max(0, Math.ceil((BAR_HEIGHT - this.element.getBoundingClientRect().top) / this.rowHeight));
  }

  /** The index of the row with the focus, or -1. */
  get focused() {
    for (const [index, row] of this.rows) if (row.contains(document.activeElement)) return index;
    return -1;
  }

  /** Scrolls to a row and gives it the focus. */
  focus(index) {
    if (this.items.length === 0) return;
    const target = Math.min(Math.max(index, 0), this.items.length - 1);
    const top = this.element.getBoundingClientRect().top + target * this.rowHeight;
    const margin = 2 * this.rowHeight;
    if (top < margin) window.scrollBy(0, top - margin);
    else if (top + margin > window.innerHeight) window.scrollBy(0, top + margin - window.innerHeight);
    this.update();
    this.rows.get(target)?.querySelector("a")?.focus({ preventScroll: true });
  }
}

/** The height of the bar above the page, which report.css also has. */
const BAR_HEIGHT = 48;
