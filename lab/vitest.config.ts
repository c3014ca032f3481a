import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

/** The tests of the laboratory itself: `npm run lab -- test`. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    include: ["lab/**/*.test.ts"],
    testTimeout: 120_000,
    pool: "forks",
  },
});
