import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { CORPORA } from "./score-all.ts";

const { values, positionals } = parseArgs({
  options: { only: { type: "string", default: Object.keys(CORPORA).join(",") }, verbose: { type: "boolean", default: false } },
  allowPositionals: true,
});

/**
 * `npm run lab -- corpora FOLDER [--only feedparser,defuddle] [--verbose]`: what tests of other projects expect of feeds and
 * pages, beside what is read here. What they expect of pages is their own output. Fails where a target is missed.
 */
const [folder] = positionals;
if (folder === undefined) throw new Error("Name the folder that holds the sources of these projects.");
for (const name of values.only.split(",")) {
  const corpus = CORPORA[name];
  const place = join(folder, name);
  if (!corpus || !existsSync(place)) {
    process.stdout.write(`${name}: ${corpus ? `not in ${folder}` : "unknown"}\n`);
    continue;
  }
  const score = corpus.score(place, values.verbose);
  process.stdout.write(`${name}\n`);
  for (const kind of [...score.kinds(), ""]) {
    const target = corpus.targets[kind];
    if (kind === "" && target === undefined) continue;
    const { right, of, share } = score.of(...(kind === "" ? [] : [kind]));
    const isMet = target === undefined || share >= target;
    if (!isMet) process.exitCode = 1;
    const count = Number.isInteger(right) ? `${String(right)} of ${String(of)}` : `${String(of)} pages`;
    const aim = target === undefined ? "" : `≥ ${target.toFixed(3)} ${isMet ? "met" : "missed"}`;
    process.stdout.write(`  ${(kind || "all").padEnd(20)} ${share.toFixed(3)}  ${count.padEnd(14)} ${aim}\n`);
  }
}
