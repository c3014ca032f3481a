import { readFileSync } from "node:fs";

import type { Decoys } from "./decoys.ts";
import { probes } from "./probes.ts";

/** Runs in a box: tries every way out, and prints what came of each. Its argument is a file that names the decoys. */
const decoys = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Decoys;
const outcomes: Record<string, string | undefined> = {};
await Promise.all(
  Object.entries(probes).map(async ([name, probe]) => {
    try {
      outcomes[name] = await probe(decoys);
    } catch (failure) {
      outcomes[name] = String(failure);
    }
  }),
);
process.stdout.write(JSON.stringify(outcomes));
