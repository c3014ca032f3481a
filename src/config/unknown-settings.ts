import { nearestName } from "../kit/nearest.ts";
import { parts } from "./all.ts";

/** Settings of builds before 0.1.0 → what to do instead. */
const REMOVED = new Map([
  ["REDIS_URL", "limits of several machines are kept in Postgres alone; remove this setting"],
]);

/** A line for each setting that is no longer there: it would change nothing, without a sign. */
export function problemsOfRemoved(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const instead = REMOVED.get(name);
    return instead === undefined ? [] : [`  ${name}: is no longer a setting: ${instead}`];
  });
}

/**
 * Refuses what looks like a setting and is none: it would change nothing, without a sign.
 * @throws Error with a line for each name.
 */
export function refuseUnknownSettings(names: readonly string[], file: string): void {
  const known = Object.values(parts).flatMap(({ settings }) => Object.keys(settings.shape));
  const unknown = names.filter((name) => !known.includes(name) && !REMOVED.has(name));
  if (unknown.length === 0) return;
  const lines = unknown.map((name) => {
    const meant = nearestName(name, known);
    return meant ? `  ${name}: did you mean ${meant}?` : `  ${name}: see docs/settings.md for all names`;
  });
  throw new Error([`${file} contains unknown settings:`, ...lines].join("\n"));
}
