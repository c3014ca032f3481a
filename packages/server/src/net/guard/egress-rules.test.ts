import { describe, expect, test } from "vitest";

import { parseEgressRules } from "./egress-rules.ts";

describe("parseEgressRules", () => {
  test.each([
    ["127.0.0.1", { host: "x", address: "127.0.0.1", port: 1 }, true],
    ["127.0.0.1", { host: "x", address: "127.0.0.2", port: 1 }, false],
    ["127.0.0.1:80", { host: "x", address: "127.0.0.1", port: 80 }, true],
    ["127.0.0.1:80", { host: "x", address: "127.0.0.1", port: 81 }, false],
    ["127.0.0.1:80-90", { host: "x", address: "127.0.0.1", port: 90 }, true],
    ["127.0.0.1:80-90", { host: "x", address: "127.0.0.1", port: 91 }, false],
    ["127.0.0.1", { host: "x", address: "::ffff:7f00:1", port: 80 }, true],
    ["10.0.0.0/8", { host: "x", address: "10.200.3.4", port: 443 }, true],
    ["10.0.0.0/8", { host: "x", address: "11.0.0.1", port: 443 }, false],
    ["10.0.0.0/8:443", { host: "x", address: "10.0.0.1", port: 80 }, false],
    ["[::1]:8080", { host: "x", address: "::1", port: 8080 }, true],
    ["[::1]:8080", { host: "x", address: "::1", port: 8081 }, false],
    ["[::1]", { host: "x", address: "::1", port: 8081 }, true],
    ["::1", { host: "x", address: "::1", port: 5 }, true],
    ["fd00::/8", { host: "x", address: "fd12::1", port: 5 }, true],
    ["[fd00::]/8:80", { host: "x", address: "fd12::1", port: 80 }, true],
    ["[fd00::]/8:80", { host: "x", address: "fd12::1", port: 81 }, false],
    ["intranet", { host: "intranet", address: "10.1.1.1", port: 80 }, true],
    ["Wiki.Corp.test:8443", { host: "wiki.corp.test.", address: "10.1.1.1", port: 8443 }, true],
    ["wiki.corp.test:8443", { host: "wiki.corp.test", address: "10.1.1.1", port: 443 }, false],
    ["wiki.corp.test", { host: "evil.wiki.corp.test", address: "10.1.1.1", port: 443 }, false],
    ["0.0.0.0/0", { host: "x", address: "127.0.0.1", port: 443 }, true],
    ["0.0.0.0/0", { host: "x", address: "::1", port: 443 }, false],
  ])("%s for %j: %s", (entry, { host, address, port }, expected) => {
    expect(parseEgressRules([entry]).allows(host, address, port)).toBe(expected);
  });

  test("opens nothing without entries, and any of several entries", () => {
    expect(parseEgressRules([]).allows("x", "127.0.0.1", 80)).toBe(false);
    expect(parseEgressRules(["10.0.0.1", "127.0.0.1"]).allows("x", "127.0.0.1", 80)).toBe(true);
  });

  test("tells named hosts from addresses", () => {
    const rules = parseEgressRules(["localhost:8080", "127.0.0.1"]);
    expect(rules.namesHost("LOCALHOST.")).toBe(true);
    expect(rules.namesHost("127.0.0.1")).toBe(false);
    expect(rules.namesHost("other")).toBe(false);
  });

  test.each([
    "",
    "127.0.0.1:",
    "127.0.0.1:0",
    "127.0.0.1:70000",
    "127.0.0.1:90-80",
    "127.0.0.1:http",
    "10.0.0.0/33",
    "10.0.0.0/",
    "::1/129",
    "[::1",
    "1.2.3",
    "999.1.1.1",
    "http://intranet",
    "*.corp.test",
    "a b",
  ])("refuses the entry %j and quotes it", (entry) => {
    expect(() => parseEgressRules([entry])).toThrow(`"${entry}"`);
  });
});
