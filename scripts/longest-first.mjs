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

/** Starts the files that take longest first. */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const secondsOf = (file) => SLOWEST[relative(ROOT, file.moduleId)] ?? 0;
    return files.toSorted((one, other) => secondsOf(other) - secondsOf(one));
  }
}
