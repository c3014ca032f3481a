import { isJsonObject } from "@pergamon-dev/kit/json";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { ValueShape, ObjectShape } from "./value-shape.ts";

/**
 * Removes things that lack required properties; undefined if nothing is left. A missing required value
 * becomes null if the schema allows null.
 */
export function dropIncomplete(wanted: ValueShape, value: unknown): unknown {
  if (value === undefined) return wanted.isNullable ? null : undefined;
  if (wanted.kind === "object" && isJsonObject(value)) return settleObject(wanted, value);
  if (wanted.kind === "list" && Array.isArray(value)) {
    const settled = value
      .map((item: unknown) => dropIncomplete(wanted.items, item))
      .filter((item) => item !== undefined);
    return settled.length < wanted.fewest ? undefined : settled;
  }
  return value;
}

function settleObject(
  { properties, isOpen }: ObjectShape,
  value: Readonly<Record<string, unknown>>,
): unknown {
  if (isOpen) return value;
  const entries: (readonly [string, unknown])[] = [];
  for (const { name, isRequired, wanted } of properties) {
    const settled = dropIncomplete(wanted, ownProperty(value, name));
    const isAbsent = settled === undefined || (settled === null && !isRequired);
    if (isRequired && settled === undefined) return undefined;
    if (!isAbsent) entries.push([name, settled]);
  }
  return Object.fromEntries(entries);
}

/** The result when a page has no value: an empty object or list if the schema requires nothing. */
export function emptyValue(wanted: ValueShape): unknown {
  if (wanted.kind === "list") return wanted.fewest === 0 ? [] : undefined;
  if (wanted.kind !== "object") return undefined;
  return dropIncomplete(wanted, {});
}
