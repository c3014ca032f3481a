import { describe, expect, test } from "vitest";

import { chooseProxy, parseProxies, type Proxy } from "./proxies.ts";

describe("parseProxies", () => {
  test("reads tier, country and credentials", () => {
    const json = `[{"url":"http://proxy.test:8080"},
      {"tier":"enhanced","country":"de","url":"socks5://p.test:1080","username":"u","password":"p@"}]`;
    expect(parseProxies(json)).toEqual([
      { tier: "basic", url: "http://proxy.test:8080/" },
      { tier: "enhanced", country: "DE", url: "socks5://u:p%40@p.test:1080" },
    ]);
  });

  test("is empty for empty text", () => {
    expect(parseProxies(" ")).toEqual([]);
  });

  test.each([
    "{",
    "{}",
    '[{"url":"ftp://p.test"}]',
    '[{"url":"nonsense"}]',
    '[{"url":"http://p.test","tier":"x"}]',
  ])("refuses %s", (json) => {
    expect(() => parseProxies(json)).toThrow("The list of proxies is");
  });

  test("never quotes a password", () => {
    const refused = () => parseProxies('[{"url":"ftp://u:hunter2@p.test","password":"hunter3"}]');
    expect(refused).toThrow(expect.not.objectContaining({ message: expect.stringContaining("hunter") }));
  });
});

describe("chooseProxy", () => {
  const german: Proxy = { tier: "basic", country: "DE", url: "http://de.test/" };
  const anywhere: Proxy = { tier: "basic", url: "http://any.test/" };

  test("prefers the country, then a proxy without one", () => {
    expect(chooseProxy([anywhere, german], "basic", "de")).toBe(german);
    expect(chooseProxy([anywhere, german], "basic", "FR")).toBe(anywhere);
  });

  test("says when no proxy serves the country", () => {
    expect(chooseProxy([german], "basic", "FR")).toBe("none-for-country");
  });

  test("takes any proxy of the tier when no country is asked for", () => {
    expect(chooseProxy([german], "basic", undefined)).toBe(german);
  });

  test("connects directly when the tier has no proxies", () => {
    expect(chooseProxy([{ ...german, tier: "enhanced" }], "basic", "DE")).toBeUndefined();
    expect(chooseProxy([], "enhanced", "DE")).toBeUndefined();
  });

  test("lets the enhanced tier make do with basic proxies", () => {
    expect(chooseProxy([german], "enhanced", "DE")).toBe(german);
    expect(chooseProxy([german], "enhanced", "FR")).toBe("none-for-country");
  });
});
