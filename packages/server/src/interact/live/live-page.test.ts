import { expect, test } from "vitest";

import { livePage, livePolicy } from "./live-page.ts";

test.each([true, false])("the page is small and loads nothing (interactive: %s)", (isInteractive) => {
  const page = livePage(isInteractive);
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(12 * 1024);
  expect(page).not.toMatch(/(?:src|href|url)\s*[=(]|@import|https?:\/\//i);
});

test("the policy names the service by the host that the client called, and nothing else", () => {
  expect(livePolicy("a.test:3002")).toContain("connect-src 'self' ws://a.test:3002 wss://a.test:3002;");
  expect(livePolicy("[::1]:3002")).toContain("ws://[::1]:3002 ");
  for (const host of [undefined, "a.test; script-src *", "a.test *", "*"]) {
    expect(livePolicy(host)).toContain("connect-src 'self';");
  }
  expect(livePolicy("a.test")).toContain("frame-ancestors *; sandbox allow-scripts");
});
