import { parseArgs } from "node:util";

import { KINDS } from "./check-page.ts";
import { addTally, MAX_LOST_PERCENT, type Packages, percentLost, readPackages } from "./read-packages.ts";

const { values } = parseArgs({
  options: {
    packages: { type: "string" },
    pages: { type: "string", default: "40" },
    folder: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});

/**
 * `npm run lab -- documentation [--packages a,b] [--pages 40] [--folder F] [--verbose]`: unpacks documentation of Debian
 * into a folder, and compares by program: every heading, block of code, table and paragraph of a page's main part has to
 * stand in its Markdown. Prints what is missing by package, and fails where more is missing than the limits allow.
 */
const options: Packages = {
  pages: Number(values.pages),
  ...(values.packages !== undefined && { packages: values.packages.split(",") }),
  ...(values.folder !== undefined && { folder: values.folder }),
  ...(values.verbose && {
    onLost: (file, { kind, text }) => void process.stdout.write(`  ${kind} ${file}: ${text.slice(0, 100)}\n`),
  }),
};
const none = () => ({ heading: 0, code: 0, table: 0, paragraph: 0 });
const all = { pages: 0, all: none(), lost: none() };
for (const [name, one] of readPackages(options)) {
  print(name, one);
  addTally(all, one);
}
print("all", all);
const missed = KINDS.filter((kind) => percentLost(all, kind) > MAX_LOST_PERCENT[kind]);
for (const kind of missed) process.stdout.write(`missed: ${kind}, at most ${String(MAX_LOST_PERCENT[kind])} %\n`);
process.exitCode = missed.length === 0 ? 0 : 1;

function print(name: string, tally: typeof all): void {
  if (tally.pages === 0) return void process.stdout.write(`${name.padEnd(26)} not available\n`);
  const cells = KINDS.map((kind) =>
    `${kind} ${tally.lost[kind]}/${tally.all[kind]} ${percentLost(tally, kind).toFixed(2)} %`.padEnd(26),
  );
  process.stdout.write(`${name.padEnd(26)} ${String(tally.pages).padStart(4)} pages  ${cells.join("")}\n`);
}
