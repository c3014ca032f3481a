import { expect, test } from "vitest";

import { never, openTestPool, testGuard } from "@pergamon-dev/browser/browser.suite";
import type { Attempt } from "../engine.ts";
import { requestHeaders } from "./request-headers.ts";

function attemptAt(url: string): Attempt {
  const visit = { url, headers: { Cookie: "session=secret" } } as unknown as Attempt["visit"];
  return { visit, tier: "basic", proxy: undefined };
}

test.each([
  ["https://origin.test/", true],
  ["http://origin.test/", false],
])("W11 a cookie that was given for %s is kept for https: %s", async (url, secure) => {
  const pool = openTestPool(testGuard([]));
  const cookies = await pool.withTab(
    { skipTlsVerification: true },
    async (tab) => {
      await requestHeaders.prepare?.(tab, attemptAt(url), never);
      return (await tab.session.send("Network.getCookies", { urls: [url] })).cookies;
    },
    never,
  );
  expect(cookies).toMatchObject([{ name: "session", value: "secret", secure }]);
});
