import { nearestName } from "../kit/nearest.ts";
import { parts } from "./all.ts";

/**
 * Refuses what looks like a setting and is none: it would change nothing, without a sign.
 * @throws Error with a line for each name.
 */
export function refuseUnknownSettings(names: readonly string[], file: string): void {
  const known = Object.values(parts).flatMap(({ settings }) => Object.keys(settings.shape));
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const lines = unknown.map((name) => {
    const meant = nearestName(name, known);
    return meant ? `  ${name}: did you mean ${meant}?` : `  ${name}: see docs/settings.md for all names`;
  });
  throw new Error([`${file} contains unknown settings:`, ...lines].join("\n"));
}
