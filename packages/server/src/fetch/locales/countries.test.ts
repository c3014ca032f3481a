import { describe, expect, test } from "vitest";

import { acceptLanguage, countryCode, languagesOf } from "./countries.ts";

describe("a country", () => {
  test.each([
    ["DE", "DE"],
    ["de", "DE"],
    ["us-generic", "US"],
    ["US-whitelist", "US"],
  ])("named %s is %s", (name, code) => {
    expect(countryCode(name)).toBe(code);
  });

  test.each(["", "XX", "Germany", "D", "DEU", "__proto__", "constructor"])("named %j is none", (name) => {
    expect(countryCode(name)).toBeUndefined();
  });
});

describe("languages of a visitor", () => {
  test("are those that were requested, cleaned, each once", () => {
    expect(languagesOf("DE", [" fr-CH ", "fr;q=0.9", "fr", "*"])).toEqual(["fr-CH", "fr", "*"]);
  });

  test("are those of the country where none was requested", () => {
    expect(languagesOf("FR", [])).toEqual(["fr-FR", "fr", "en-US", "en"]);
  });

  test("fall in quality, and never to nothing", () => {
    const many = languagesOf("US", "ab cd ef gh ij kl mn op qr st".split(" "));
    const qualities = acceptLanguage(many)
      .split(",")
      .slice(1)
      .map((part) => Number(part.split("q=")[1]));
    expect(qualities).toEqual([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]);
  });
});
