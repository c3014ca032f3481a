import { readFileSync } from "node:fs";

const FIGURES = JSON.parse(
  readFileSync(new URL("../../training/by-site.json", import.meta.url), "utf8"),
) as Readonly<Record<string, number>>;

/**
 * A figure by cross-validation over sites: no page is judged by what has learned from its site. Undefined for figures
 * without one. Training writes them down.
 */
export function bySite(name: string): number | undefined {
  return Object.hasOwn(FIGURES, name) ? FIGURES[name] : undefined;
}
