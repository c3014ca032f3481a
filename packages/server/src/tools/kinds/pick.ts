import { ownProperty } from "@pergamon-dev/kit/own-property";

/** What is at a path: names between dots; `*` goes through a list. Undefined where nothing does. */
export function valueAt(value: unknown, path: string): unknown {
  return path === "" ? value : descend(value, path.split("."));
}

function descend(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (name === "*") return Array.isArray(value) ? value.map((entry) => descend(entry, rest)) : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  return descend(ownProperty(value as Readonly<Record<string, unknown>>, name), rest);
}

/** Only these parts, by name; everything when nothing is named. */
export function pick(value: unknown, paths: Readonly<Record<string, string>> | undefined): unknown {
  if (!paths) return value;
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, valueAt(value, path)]));
}
