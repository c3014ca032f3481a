import { configDefaults, defineConfig } from "vitest/config";

/** Tests that open a browser, or a process of the service, have modules of their own. */
const ISOLATED = ["src/platform/browser/**/*.test.ts", "test/**/*.test.ts"];

export default defineConfig({
  test: {
    // One test that hangs costs a minute; twenty seconds were too few for a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "threads",
    // Most tests wait most of the time: for timers, for browsers, for the other end of a connection.
    maxWorkers: "200%",
    reporters: ["default", "./scripts/plain-summary-reporter.mjs"],
    projects: [
      {
        extends: true,
        test: {
          name: "parts",
          include: ["src/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...ISOLATED],
          // Files that share the modules which they test cost a third of the processor time.
          isolate: false,
        },
      },
      { extends: true, test: { name: "whole", include: ISOLATED } },
    ],
  },
});
