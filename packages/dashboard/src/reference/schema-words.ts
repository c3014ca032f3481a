import type { Schema } from "./document.ts";

/** What a value is, in a few words: `array of string`, `integer`, `"a" | "b"`. */
export function typeWords(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeWords))].join(" or ");
  if (schema.items) return `array of ${typeWords(schema.items)}`;
  if (schema.type === undefined) return "any JSON";
  return typeof schema.type === "string" ? schema.type : schema.type.join(" or ");
}

/** What it has to fulfil, each in a few words. */
export function bounds(schema: Schema): readonly string[] {
  const { format, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const words = [
    format,
    span(minimum, maximum, ""),
    span(minLength, maxLength, " characters"),
    span(minItems, maxItems, " entries"),
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ];
  return words.filter((word) => typeof word === "string");
}

function span(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  const [least, most] = [min?.toLocaleString("en-GB"), max?.toLocaleString("en-GB")];
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (least !== undefined) return `at least ${least}${unit}`;
  return most === undefined ? undefined : `at most ${most}${unit}`;
}

/** What can be opened below a value: members, or the ways in which it can be given. */
export function partsBelow(schema: Schema): readonly Schema[] {
  const inner = [schema.items, ...(schema.anyOf ?? [])].filter((one) => one !== undefined);
  const own = schema.properties && Object.keys(schema.properties).length > 0 ? [schema] : [];
  const further = typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : [];
  return [...own, ...[...inner, ...further].flatMap(partsBelow)];
}
