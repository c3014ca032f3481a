/** Maximum depth. No model follows deeper schemas, and walking them would exhaust the stack. */
const MAX_DEPTH = 64;

/** Says why a JSON Schema cannot be used (contract, section 1.2). A missing schema has no problem. */
export function jsonSchemaProblem(schema: unknown, depth = 0): string | undefined {
  if (schema === undefined || schema === null) return undefined;
  if (depth === 0 && typeof schema !== "object") return "Invalid input: expected a JSON Schema object";
  if (typeof schema !== "object") return undefined;
  if (depth > MAX_DEPTH) return `Schema is nested deeper than ${MAX_DEPTH} levels`;
  if (isOpenObject(schema as Record<string, unknown>)) {
    return "Schema contains invalid structure for OpenAI: object type with no 'properties' defined but 'additionalProperties: true' (a schema-less dictionary). Name the properties, or leave additionalProperties out.";
  }
  for (const value of Object.values(schema)) {
    const problem = jsonSchemaProblem(value, depth + 1);
    if (problem) return problem;
  }
  return undefined;
}

function isOpenObject(node: Readonly<Record<string, unknown>>): boolean {
  return (
    node["type"] === "object" &&
    node["additionalProperties"] === true &&
    !node["properties"] &&
    !node["patternProperties"]
  );
}
