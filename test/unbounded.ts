import { z } from "zod";

interface Node {
  readonly type?: string;
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly format?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly propertyNames?: unknown;
  readonly additionalProperties?: unknown;
  readonly [member: string]: unknown;
}

/** Paths of what a schema takes without a bound: texts, lists and records. */
export function unboundedIn(schema: z.ZodType): readonly string[] {
  return walk(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), "");
}

function walk(node: unknown, path: string): string[] {
  if (typeof node !== "object" || node === null || isAnyJson(node as Node)) return [];
  const inner = Object.entries(node).flatMap(([name, child]) => walk(child, `${path}.${name}`));
  return isOpen(node as Node) ? [path, ...inner] : inner;
}

/** A text of one of the known formats, such as a UUID, is as long as these are. */
function isOpen(node: Node): boolean {
  const { type, maxLength, maxItems, maxProperties, propertyNames, format } = node;
  if (type === "array") return maxItems === undefined && !Array.isArray(node["prefixItems"]);
  if (type === "object") return propertyNames !== undefined && maxProperties === undefined;
  if (type !== "string" || node.enum !== undefined || node.const !== undefined) return false;
  return maxLength === undefined && format === undefined;
}

/** JSON of any kind, within itself. Its values are counted with those of the whole message. */
function isAnyJson({ anyOf }: Node): boolean {
  if (!Array.isArray(anyOf)) return false;
  const types = anyOf.map((choice: Node) => choice.type);
  return types.join(" ") === "string number boolean null array object";
}
