import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { Figures } from "../quality/page-data/labelled-sets.ts";

const FILE = fileURLToPath(new URL("by-site.json", import.meta.url));

/** Writes down figures by cross-validation over sites, for the table of targets. */
export function noteBySite(figures: Figures): void {
  const known = JSON.parse(readFileSync(FILE, "utf8")) as Record<string, number>;
  for (const [name, value] of figures) if (Number.isFinite(value)) known[name] = Number(value.toFixed(4));
  writeFileSync(FILE, `${JSON.stringify(known, null, 2)}\n`);
}
