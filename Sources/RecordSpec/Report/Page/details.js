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
    this.differences = members?.differences ?? [];
    this.facts = members?.facts ?? [];
    this.explanations = (members?.explanations ?? []).map(mapOf);
    this.states = [];
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

  /** Returns the facts about a record, or about one of its properties, after a step: pairs of a name and a text. */
  explanation(step, label, property) {
    for (let index = Math.min(step, this.explanations.length - 1); index >= 0; index -= 1) {
      const explained = this.explanations[index].get(label);
      const facts = property === undefined ? explained?.record : mapOf(explained?.properties).get(property);
      if (facts) return facts.map((fact) => this.facts[fact]).filter(Boolean);
    }
    return [];
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

/** Returns the names of the properties of records in the order of the model. Each record has some of them in this order. */
function propertyNames(records) {
  const names = [];
  const known = new Set();
  for (const { properties } of records) {
    let position = 0;
    for (const name of properties.keys()) {
      if (known.has(name)) {
        position = names.indexOf(name) + 1;
      } else {
        names.splice(position, 0, name);
        known.add(name);
        position += 1;
      }
    }
  }
  return names;
}
