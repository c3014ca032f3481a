import { readFileSync } from "node:fs";

import type { Decoys } from "./decoys.ts";
import { probes } from "./probes.ts";

/** The first line of `/proc/self/uid_map` where users are those of the machine itself. */
const USERS_OF_MACHINE = /^\s*0\s+0\s+4294967295\s*$/m;

/** The probes would mount, write and make what they try. @throws Error for the machine's own root. */
function refuseRoot(): void {
  if (process.geteuid?.() !== 0) return;
  if (!USERS_OF_MACHINE.test(readFileSync("/proc/self/uid_map", "utf8"))) return;
  throw new Error("The probes are for boxes. As root of this machine they would do damage.");
}

refuseRoot();
/** Runs in a box: tries every way out, and prints what came of each. Its argument is a file that names the decoys. */
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
