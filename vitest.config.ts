import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // One test that hangs costs a minute; twenty seconds were too few for a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "threads",
    // Most tests wait most of the time: for timers, for browsers, for the other end of a connection.
    maxWorkers: "100%",
    reporters: ["default", "./scripts/plain-summary-reporter.mjs"],
  },
});
