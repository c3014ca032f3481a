import { beforeAll, expect, test } from "vitest";

import { fixedResolver, listenHttp } from "@pergamon-dev/server/net/loopback.suite";
import { findTestBrowser, never, openTestPool, testGuard } from "../browser.suite.ts";
import type { BrowserTab } from "../tab/tab.ts";

let port: number;

beforeAll(async () => {
  ({ port } = await listenHttp((request, response) => {
    response.setHeader("content-type", "text/html");
    const isPage = request.url === "/page";
    response.end(isPage ? `<iframe src="http://other.test:${port}/frame"></iframe>` : "<p>Frame");
  }));
});

/** URLs of frames that have a process of their own. */
async function separateFrames(tab: BrowserTab): Promise<readonly string[]> {
  const { targetInfos } = await tab.browser.send("Target.getTargets", { filter: [{}] });
  return targetInfos
    .filter(({ type, browserContextId }) => type === "iframe" && browserContextId === tab.contextId)
    .map(({ url }) => url);
}

async function framesApart(isolatesSites: boolean): Promise<readonly string[]> {
  const pool = openTestPool(testGuard(["127.0.0.1"], fixedResolver("127.0.0.1")), {
    find: async () => {
      const found = await findTestBrowser();
      return found && { ...found, isolatesSites };
    },
  });
  return pool.withTab(
    { skipTlsVerification: true },
    async (tab) => {
      const loaded = new Promise((resolve) => {
        tab.session.on("Page.loadEventFired", resolve);
      });
      await tab.navigate(`http://site.test:${port}/page`, never);
      await loaded;
      return separateFrames(tab);
    },
    never,
  );
}

test("with site isolation a frame of another site has a process of its own", async () => {
  expect(await framesApart(true)).toEqual([`http://other.test:${port}/frame`]);
});

test("without it frames share the process of their page, which costs less", async () => {
  expect(await framesApart(false)).toEqual([]);
});
