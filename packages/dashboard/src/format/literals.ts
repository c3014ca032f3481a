/** Lines after the first one, moved in. */
export function indented(text: string, by: string): string {
  return text.replaceAll("\n", `\n${by}`);
}

/** A value as Python writes it. */
export function pythonValue(value: unknown, depth: number): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = "    ".repeat(depth + 1);
  const end = `\n${"    ".repeat(depth)}`;
  if (Array.isArray(value)) {
    const entries = value.map((entry) => `\n${inner}${pythonValue(entry, depth + 1)},`);
    return entries.length === 0 ? "[]" : `[${entries.join("")}${end}]`;
  }
  const members = Object.entries(value).map(
    ([name, member]) => `\n${inner}${JSON.stringify(name)}: ${pythonValue(member, depth + 1)},`,
  );
  return members.length === 0 ? "{}" : `{${members.join("")}${end}}`;
}
