import { nearestName } from "@pergamon-dev/kit/nearest";
import { parts } from "./all.ts";
import type { Environment } from "./part.ts";

/** Settings of builds before 0.1.0 → what to do instead. */
const REMOVED = new Map([
  ["REDIS_URL", "limits of several machines are kept in Postgres alone; remove this setting"],
]);

/** A line for each setting that is no longer there: it would change nothing, without a sign. */
export function problemsOfRemoved(given: Environment): readonly string[] {
  const removed = Object.keys(given).flatMap((name) => {
    const instead = REMOVED.get(name);
    return instead === undefined ? [] : [`  ${name}: is no longer a setting: ${instead}`];
  });
  if (!/\bbrowse\b/.test(given["ROLES"] ?? "")) return removed;
  return [
    ...removed,
    "  ROLES: browse is no longer a role: name a server of browsers in BROWSER_URLS on machines that shall not run their own",
  ];
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
