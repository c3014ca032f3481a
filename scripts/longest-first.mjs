import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

import { BaseSequencer } from "vitest/node";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * Seconds of the test files that take longest, measured on two cores. A run must not end with one long file and idle
 * workers; a fresh clone has no measurements of its own. `npm run test -- --reporter=json` tells new ones.
 */
const SLOWEST = JSON.parse(readFileSync(new URL("slowest-tests.json", import.meta.url), "utf8"));

/**
 * Starts the files that take longest first. Files that share a service come before all others: a worker closes the
 * service before a file that does not share it.
 */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const orders = files.map((file) => {
      const isSharing = readFileSync(file.moduleId, "utf8").includes("useSharedWorld(");
      return { file, order: (isSharing ? -10_000 : 0) - (SLOWEST[relative(ROOT, file.moduleId)] ?? 0) };
    });
    return orders.toSorted((one, other) => one.order - other.order).map(({ file }) => file);
  }
}
