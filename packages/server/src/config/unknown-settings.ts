import { nearestName } from "@pergamon-dev/kit/nearest";
import { parts } from "./all.ts";
import type { Environment } from "./part.ts";

/** Settings of builds before 0.1.0 → their replacements. */
const REMOVED = new Map([
  ["REDIS_URL", "limits of several machines are kept in Postgres alone; remove this setting"],
]);

/** Returns a line for each removed setting, which would otherwise be ignored silently. */
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
 * Refuses names that look like settings but are unknown. They would otherwise be ignored silently.
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
