import { expect, test } from "vitest";

import { openHeaderComposer } from "./request-headers.ts";

const composer = openHeaderComposer();
const secure = new URL("https://site.test/");
const plain = new URL("http://site.test:8080/");

function composed(url: URL, given: readonly (readonly [string, string])[] = []) {
  return composer.compose(url, "basic", given);
}

function valueOf(headers: readonly (readonly [string, string])[], name: string) {
  return headers.filter(([candidate]) => candidate.toLowerCase() === name).map(([, value]) => value);
}

test("looks like a browser over TLS", () => {
  const names = composed(secure).map(([name]) => name);
  expect(names).toEqual([
    "sec-ch-ua",
    "sec-ch-ua-mobile",
    "sec-ch-ua-platform",
    "Upgrade-Insecure-Requests",
    "User-Agent",
    "Accept",
    "Sec-Fetch-Site",
    "Sec-Fetch-Mode",
    "Sec-Fetch-User",
    "Sec-Fetch-Dest",
    "Accept-Encoding",
    "Accept-Language",
    "Priority",
  ]);
  expect(valueOf(composed(secure), "user-agent")[0]).toMatch(/^Mozilla\/5\.0 .*Chrome\/\d+/);
});

test("sends no client hints without TLS, and the host first", () => {
  const headers = composed(plain);
  expect(headers[0]).toEqual(["Host", "site.test:8080"]);
  expect(headers.filter(([name]) => name.startsWith("sec-") || name.startsWith("Sec-"))).toEqual([]);
});

test("names the system that it runs on, as a browser beside it would", () => {
  const system = { darwin: "Macintosh", win32: "Windows" }[process.platform as string] ?? "X11; Linux";
  expect(valueOf(composed(secure), "user-agent")[0]).toContain(system);
  expect(valueOf(composer.compose(secure, "mobile", []), "user-agent")[0]).toContain("Android");
});

test("sends cookies before the priority, as Chrome does", () => {
  const names = composed(secure, [["cookie", "a=1"]]).map(([name]) => name);
  expect(names.slice(-3)).toEqual(["Accept-Language", "Cookie", "Priority"]);
});

test("replaces a browser header in its place, whatever the case", () => {
  const headers = composed(secure, [["ACCEPT-language", "de"]]);
  expect(valueOf(headers, "accept-language")).toEqual(["de"]);
  expect(headers.map(([name]) => name)).toEqual(composed(secure).map(([name]) => name));
});

test("drops client hints that would contradict a given User-Agent", () => {
  const headers = composed(secure, [["User-Agent", "mine"]]);
  expect(valueOf(headers, "user-agent")).toEqual(["mine"]);
  expect(valueOf(headers, "sec-ch-ua")).toEqual([]);
});

test("takes the last of a repeated header", () => {
  const headers = composed(secure, [
    ["X-One", "1"],
    ["x-one", "2"],
  ]);
  expect(valueOf(headers, "x-one")).toEqual(["2"]);
});

test.each([
  "Host",
  "Content-Length",
  "CONNECTION",
  "Transfer-Encoding",
  "TE",
  "Upgrade",
  "Keep-Alive",
  "Proxy-Authorization",
  "Expect",
])("ignores %s", (name) => {
  const headers = composed(secure, [[name, "nonsense"]]);
  expect(headers.map(([, value]) => value)).not.toContain("nonsense");
});
