import { never, openTestPool, testGuard } from "./browser.suite.ts";

/** A separate process with a running browser. It reports that the browser runs, and waits to be ended. */
await openTestPool(testGuard([])).withTab(
  { skipTlsVerification: true },
  async () => {
    process.stdout.write("running\n");
    await new Promise((resolve) => setTimeout(resolve, 30_000));
  },
  never,
);
