import { parentPort, workerData } from "node:worker_threads";

import { parse } from "yaml";

/** Runs in the YAML thread: parses text and returns JSON. */
function read(text: string): string {
  // Merge keys (`<<`) are enabled, because documents use them. The alias limit stops documents that expand to
  // enormous sizes.
  return JSON.stringify(
    parse(text, { merge: true, maxAliasCount: 100, logLevel: "error", uniqueKeys: false }),
  );
}

parentPort?.postMessage(read(String(workerData)), []);
