import { expect, test } from "vitest";

import { originOf } from "./origin.ts";

test.each([
  ["https://app.test", "https://app.test"],
  ["HTTPS://App.Test:443", "https://app.test"],
  ["http://app.test:8080", "http://app.test:8080"],
  ["http://[::1]:80", "http://[::1]"],
  ["chrome-extension://abcdef", "chrome-extension://abcdef"],
])("%s is the origin %s", (text, origin) => {
  expect(originOf(text)).toBe(origin);
});

test.each([
  "",
  "null",
  "*",
  "app.test",
  "https://",
  "https://app.test/",
  "https://app.test/path",
  "https://app.test?x",
  "https://me@app.test",
  "https://a.test https://b.test",
  "https://app.test:99999",
  "javascript:alert(1)",
  "https://app.test\\@evil.test",
])("%j is none", (text) => {
  expect(originOf(text)).toBeUndefined();
});
