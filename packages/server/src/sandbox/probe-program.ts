import { readFileSync } from "node:fs";

import type { Decoys } from "./decoys.ts";
import { probes } from "./probes.ts";

/** First line of `/proc/self/uid_map` outside a user namespace. */
const USERS_OF_MACHINE = /^\s*0\s+0\s+4294967295\s*$/m;

/** The probes really mount, write and create. @throws Error for the machine's own root. */
function refuseRoot(): void {
  if (process.geteuid?.() !== 0) return;
  if (!USERS_OF_MACHINE.test(readFileSync("/proc/self/uid_map", "utf8"))) return;
  throw new Error("The probes are for boxes. As root of this machine they would do damage.");
}

refuseRoot();
/**
 * Runs in a box: tries every way out, and prints the outcomes. Its argument is a file that names the decoys.
 */
const decoys = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Decoys;
const outcomes = new Map<string, string | undefined>();
await Promise.all(
  Object.entries(probes).map(async ([name, probe]) => {
    try {
      outcomes.set(name, await probe(decoys));
    } catch (failure) {
      outcomes.set(name, String(failure));
    }
  }),
);
process.stdout.write(JSON.stringify(Object.fromEntries(outcomes)));
