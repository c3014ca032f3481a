import { never, openTestPool, testGuard } from "./browser.suite.ts";

/** A process of its own that has a browser running. It says so, and waits for its end. */
await openTestPool(testGuard([])).withTab(
  { skipTlsVerification: true },
  async () => {
    process.stdout.write("running\n");
    await new Promise((resolve) => setTimeout(resolve, 30_000));
  },
  never,
);
