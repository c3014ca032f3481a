import { parentPort, workerData } from "node:worker_threads";

import { parse } from "yaml";

/** The program of the thread that reads YAML: text in, JSON out, then the end. */
function read(text: string): string {
  // Documents that say `<<` mean it; what refers to a name a hundred times and more does so to grow.
  return JSON.stringify(
    parse(text, { merge: true, maxAliasCount: 100, logLevel: "error", uniqueKeys: false }),
  );
}

parentPort?.postMessage(read(String(workerData)), []);
