type Schema = Readonly<Record<string, unknown>>;

/** A schema that an example of an answer fits: names and types of its values, all of them wanted. */
export function schemaOfExample(example: unknown): Schema {
  if (Array.isArray(example))
    return { type: "array", items: example.length === 0 ? {} : schemaOfExample(example[0]) };
  if (typeof example === "object" && example !== null) {
    const members = Object.entries(example);
    return {
      type: "object",
      properties: Object.fromEntries(members.map(([name, value]) => [name, schemaOfExample(value)])),
      required: members.map(([name]) => name),
    };
  }
  if (typeof example === "number") return { type: Number.isInteger(example) ? "integer" : "number" };
  if (typeof example === "boolean") return { type: "boolean" };
  return { type: "string" };
}
