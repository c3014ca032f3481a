import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

/** The tests of the laboratory itself: `npm run lab -- test`. */
/** Packages are imported from their sources, by this condition of their manifests. */
const conditions = ["pergamon-source", "module", "node"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    include: ["lab/**/*.test.ts"],
    testTimeout: 120_000,
    pool: "forks",
    execArgv: ["--conditions=pergamon-source"],
  },
});
