"use strict";

// Everything from the data enters the page as text nodes and attributes, never as markup.

/** Creates an HTML element. A function as an attribute is a listener of the event with that name. */
function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Creates an SVG element. */
function shape(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(created, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") created.addEventListener(name, value);
    else created.setAttribute(name, value === true ? "" : String(value));
  }
  created.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return created;
}

function button(text, action, attributes = {}) {
  return element("button", { type: "button", ...attributes, click: action }, text);
}

/** Returns a section with a heading, which `aria-labelledby` names. */
function section(id, title, ...children) {
  const heading = element("h2", { id: `${id}-title`, tabindex: "-1" }, title);
  return element("section", { id, "aria-labelledby": `${id}-title` }, heading, ...children);
}

function empty(text) {
  return element("p", { class: "empty" }, text);
}

/** Returns a disclosure whose content is created when it is first opened. */
function disclosure(summary, isOpen, content) {
  const created = element("details", {}, element("summary", {}, summary));
  const fill = () => {
    if (created.open && created.childElementCount === 1) created.append(content());
  };
  created.addEventListener("toggle", fill);
  created.open = isOpen;
  fill();
  return created;
}

/** Opens a disclosure and creates its content, without waiting for the event of the browser. */
function reveal(details) {
  details.open = true;
  details.dispatchEvent(new Event("toggle"));
}

/**
 * Returns the first items as elements, and a button that adds the others. `wrapped` returns the element around the button. If only
 * a few items are beyond the limit, all are shown.
 */
function shortened(items, most, name, made, wrapped = (more) => more) {
  const limit = items.length <= most * 1.25 ? items.length : most;
  const fragment = madeElements(items, 0, limit, made);
  if (items.length > limit) {
    const add = () => more.replaceWith(madeElements(items, limit, items.length, made));
    const more = wrapped(button(`Show all ${grouped(items.length)} ${name}`, add, { class: "more" }));
    fragment.append(more);
  }
  return fragment;
}

function madeElements(items, start, end, made) {
  const fragment = new DocumentFragment();
  for (let index = start; index < Math.min(end, items.length); index += 1) fragment.append(made(items[index], index));
  return fragment;
}

/** Returns items of a list, as `shortened` does. */
function listItems(items, limit, name, content) {
  const item = (...children) => element("li", {}, ...children);
  return shortened(items, limit, name, (entry) => item(content(entry)), item);
}

/** Returns a table with a heading and rows, as `shortened` does. `attributes` are those of the table. */
function tableOf(names, rows, limit, name, made, attributes) {
  const more = (button) => element("tr", {}, element("td", { colspan: names.length }, button));
  return element("table", attributes,
    element("thead", {}, element("tr", {}, names.map((column) => element("th", { scope: "col" }, column)))),
    element("tbody", {}, shortened(rows, limit, name, made, more)));
}

/** Returns radio buttons in a row. `choices` are pairs of a value and a text. */
function choice(label, name, choices, chosen, changed) {
  const options = choices.map(([value, text]) =>
    element("label", {},
      element("input", { type: "radio", name, value, checked: value === chosen, change: () => changed(value) }),
      element("span", {}, text)));
  return element("fieldset", { class: "choice" }, element("legend", {}, label), ...options);
}

/** Returns the field that the key `/` gives the focus. `changed` is called with each new text. */
function searchField(label, value, changed, listeners = {}) {
  return element("label", { class: "search" },
    element("span", { class: "hidden" }, label),
    element("input", {
      type: "search", id: "search", placeholder: label, value, autocomplete: "off", spellcheck: "false",
      input: (event) => changed(event.target.value), ...listeners,
    }));
}

function grouped(number) {
  return number.toLocaleString("en-US");
}

function counted(number, one, many = `${one}s`) {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

function durationText(seconds) {
  if (!seconds) return "";
  if (seconds < 0.0995) return `${(seconds * 1000).toFixed(seconds < 0.00995 ? 1 : 0)} ms`;
  if (seconds < 59.95) return `${seconds.toFixed(seconds < 9.995 ? 2 : 1)} s`;
  const whole = Math.round(seconds);
  return `${grouped(Math.floor(whole / 60))} min ${whole % 60} s`;
}
