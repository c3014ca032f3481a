// Writes the table of settings in docs/settings.md from packages/server/src/config/.
// Usage: tsx scripts/generate-settings.ts [--check] [docs/settings.md]
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { z } from "zod";

import { parts } from "../packages/server/src/config/all.ts";

const SETTINGS = fileURLToPath(new URL("../docs/settings.md", import.meta.url));
const START = "<!-- settings: written by `npm run fix` from packages/server/src/config/ -->\n";
const END = "<!-- end of settings -->";

/** What `describe` and `meta` tell of a setting. */
const Words = z.object({ description: z.string(), unset: z.string().optional() });

const { values, positionals } = parseArgs({
  options: { check: { type: "boolean" } },
  allowPositionals: true,
});
const [path = SETTINGS] = positionals;
const present = readFileSync(path, "utf8");
const wanted = withTable(present);
if (!values.check) writeFileSync(path, wanted);
else if (present !== wanted) {
  console.error(`The settings in ${path} are not those of packages/server/src/config/: run npm run fix.`);
  process.exitCode = 1;
}

function withTable(text: string): string {
  const from = text.indexOf(START);
  const to = text.indexOf(END);
  if (from < 0 || to < from) throw new Error(`There is no place for the settings: ${START}${END}`);
  return `${text.slice(0, from + START.length)}\n${settingsTable()}\n\n${text.slice(to)}`;
}

function settingsTable(): string {
  const rows = Object.values(parts).flatMap(({ title, settings }) => [
    `| **${title}** | | |`,
    ...Object.entries<z.ZodType>(settings.shape).map(([name, setting]) => rowOf(name, setting)),
  ]);
  return ["| Setting | Default | Meaning |", "|---|---|---|", ...rows].join("\n");
}

function rowOf(name: string, setting: z.ZodType): string {
  const { description, unset = defaultOf(setting) } = Words.parse(setting.meta());
  return `| \`${name}\` | ${unset} | ${description.replaceAll("|", "\\|")} |`;
}

function defaultOf(setting: z.ZodType): string {
  const value = setting instanceof z.ZodDefault ? setting.def.defaultValue : [];
  const isSimple = ["string", "number", "boolean"].includes(typeof value);
  return isSimple ? `\`${String(value)}\`` : "none";
}
