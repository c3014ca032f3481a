import { afterAll, expect, test } from "vitest";

import { findTestBrowser, never, openedBrowsers, testGuard } from "../browser.suite.ts";
import type { CdpConnection } from "../cdp/cdp-connection.ts";
import { openLauncher } from "../launch/launch.ts";
import { openLeasedPool } from "./leased-pool.ts";

afterAll(() => openedBrowsers.close());

const options = { skipTlsVerification: true };

/** A pool over a node that starts browsers here. `onLent` hears of each. */
async function openPool(onLent: (connection: CdpConnection, count: number) => void) {
  const found = await findTestBrowser();
  if (!found) throw new Error("no browser");
  const launch = openLauncher(found);
  let count = 0;
  const leases = {
    hasAny: async () => true,
    isLending: async () => true,
    async take() {
      const { connection } = openedBrowsers.add(await launch(never), (browser) => browser.close());
      onLent(connection, (count += 1));
      return { connection, url: "http://node.test" };
    },
  };
  const order = { program: "shell", isolatesSites: false, opensWindows: false } as const;
  const guard = testGuard([]);
  const pool = openLeasedPool({ leases, order, guard, egressHost: "127.0.0.1", maxTabs: 4 });
  return openedBrowsers.add(pool, (opened) => opened.close());
}

test("browsers that are lost before they open the page are replaced by others, but not without end", async () => {
  const lent: number[] = [];
  const pool = await openPool((connection, count) => {
    lent.push(count);
    if (count < 3) setImmediate(() => connection.close());
  });
  expect(await pool.withTab(options, async (tab) => tab.failure, never)).toBeUndefined();
  expect(lent).toEqual([1, 2, 3]);
});

test("where all of them are lost, the page is not made", async () => {
  const lent: number[] = [];
  const pool = await openPool((connection, count) => {
    lent.push(count);
    setImmediate(() => connection.close());
  });
  const made = pool.withTab(options, async (tab) => tab.failure, never);
  await expect(made).rejects.toMatchObject({ kind: "browser-lost" });
  expect(lent).toEqual([1, 2, 3]);
});
