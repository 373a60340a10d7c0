/** The details of a scenario: its files, responses, steps, records and differences. */
class Details {
  /** Members are undefined if the report contains no details. */
  constructor(members, data) {
    this.areMissing = members === undefined;
    this.data = data;
    this.notes = members?.notes ?? [];
    this.files = members?.files ?? [];
    this.responses = members?.responses ?? [];
    this.steps = members?.steps ?? [];
    this.graphs = members?.graphs ?? [];
    this.drawings = members?.drawings ?? [];
    this.measures = members?.measures ?? {};
    this.differences = members?.differences ?? [];
    this.facts = members?.facts ?? [];
    this.entities = mapOf(members?.entities);
    this.explanations = (members?.explanations ?? []).map(mapOf);
    this.origins = mapOf(members?.origins);
    this.states = [];
    this.responseNames = responseNames(this.responses);
  }

  get lastStep() {
    return Math.max(this.steps.length, this.graphs.length - 1);
  }

  /** Returns the records after a step: a map from labels to records. Step 0 is the beginning. */
  records(step) {
    while (this.states.length <= step) this.states.push(this.nextRecords());
    return this.states[step];
  }

  nextRecords() {
    const records = new Map(this.states.at(-1));
    const change = this.graphs[this.states.length] ?? {};
    for (const label of change.removed ?? []) records.delete(label);
    for (const [label, { entity, properties }] of mapOf(change.records)) {
      records.set(label, { label, entity: entity ?? "", properties: mapOf(properties) });
    }
    return records;
  }

  /** Returns the facts about a record, or about one of its properties after a step: pairs of a name and a text. */
  explanation(step, label, property) {
    const indices = property === undefined ? this.origins.get(label) : this.factsOfProperty(step, label, property);
    return (indices ?? []).map((index) => this.facts[index]).filter(Boolean);
  }

  /** Returns the indices of the facts, which the report contains for the first step with these facts only. */
  factsOfProperty(step, label, property) {
    for (let index = Math.min(step, this.explanations.length - 1); index >= 0; index -= 1) {
      const indices = mapOf(this.explanations[index].get(label)).get(property);
      if (indices) return indices;
    }
    return undefined;
  }
}

/** Returns the members of an object. A map has no inherited members, such as `constructor`. */
function mapOf(object) {
  return new Map(Object.entries(object ?? {}));
}

/** The change of a record between two states, with the names of its changed properties. */
function recordChange(before, after) {
  if (!before) return { kind: "inserted", sign: "+", changed: new Set() };
  if (!after) return { kind: "deleted", sign: "−", changed: new Set() };
  const changed = new Set([...before.properties.keys(), ...after.properties.keys()]
    .filter((name) => !isSameValue(before.properties.get(name), after.properties.get(name))));
  return changed.size > 0 ? { kind: "updated", sign: "~", changed } : { kind: "none", sign: "", changed };
}

function isSameValue(first, second) {
  return JSON.stringify(first) === JSON.stringify(second);
}

/** Returns the addresses of responses, with numbers where an address has several: `posts, 2 of 3`. */
function responseNames(responses) {
  const groups = groupedBy(responses, ({ address }) => address);
  const counts = new Map();
  return responses.map(({ address }) => {
    const number = (counts.get(address) ?? 0) + 1;
    counts.set(address, number);
    const total = groups.get(address).length;
    return total > 1 ? `${address}, ${number} of ${total}` : address;
  });
}

// Values

const NOTHING = "–";

/**
 * Returns the type of a value and its text. An attribute is a text that begins with its type, such as `integer 212`;
 * a to-one relationship is an object with a label, and a to-many relationship is an array of labels.
 */
function typedValue(value) {
  if (value === undefined || value === null) return ["no value", NOTHING];
  if (Array.isArray(value)) return ["to-many relationship", value.length > 0 ? value.join(", ") : NOTHING];
  if (typeof value === "object") return ["to-one relationship", String(value.to ?? NOTHING)];
  const end = String(value).indexOf(" ");
  return end < 0 ? ["", String(value)] : [value.slice(0, end), value.slice(end + 1)];
}

function valueText(value) {
  return typedValue(value)[1];
}
