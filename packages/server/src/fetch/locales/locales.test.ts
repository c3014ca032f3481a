import { describe, expect, test } from "vitest";

import { acceptLanguage, countryCode } from "./countries.ts";
import { localeIn } from "./locales.ts";

/** Every pair of letters that the service takes for a country. */
function everyCountry(): readonly string[] {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
  return letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => countryCode(code) === code);
}

describe("a place", () => {
  test.each([
    ["US", "America/New_York", "en-US", "en-US,en;q=0.9"],
    ["DE", "Europe/Berlin", "de-DE", "de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7"],
    ["GB", "Europe/London", "en-GB", "en-GB,en;q=0.9"],
    ["JP", "Asia/Tokyo", "ja-JP", "ja-JP,ja;q=0.9,en-US;q=0.8,en;q=0.7"],
    ["BR", "America/Sao_Paulo", "pt-BR", "pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7"],
    ["RU", "Europe/Moscow", "ru-RU", "ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7"],
    ["IN", "Asia/Kolkata", "hi-IN", "hi-IN,hi;q=0.9,en-US;q=0.8,en;q=0.7"],
    ["CN", "Asia/Shanghai", "zh-CN", "zh-CN,zh;q=0.9,en-US;q=0.8,en;q=0.7"],
    ["AU", "Australia/Sydney", "en-AU", "en-AU,en;q=0.9"],
    ["UA", "Europe/Kyiv", "uk-UA", "uk-UA,uk;q=0.9,en-US;q=0.8,en;q=0.7"],
  ])("in %s has the zone %s and the languages of the country", (country, timezone, locale, header) => {
    const place = localeIn(country, []);
    expect(place).toMatchObject({ timezone, locale });
    expect(acceptLanguage(place.languages)).toBe(header);
  });

  test("is known for every country that a request may name, and is consistent", () => {
    const countries = everyCountry();
    expect(countries).toHaveLength(249);
    for (const country of countries) {
      const { timezone, locale, languages, latitude, longitude } = localeIn(country, []);
      expect(new Intl.DateTimeFormat("en", { timeZone: timezone }).format(0)).toBeTruthy();
      expect(new Intl.Locale(locale).region).toBe(country);
      expect(languages[0]).toBe(locale);
      expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
      expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
    }
  });

  test("lies where the country is: its longitude fits its winter time", () => {
    for (const country of ["US", "DE", "JP", "BR", "ZA", "NZ", "CL", "IN", "EG", "SE"]) {
      const { timezone, longitude } = localeIn(country, []);
      const parts = new Intl.DateTimeFormat("en", { timeZone: timezone, timeZoneName: "longOffset" });
      const january = parts.formatToParts(Date.UTC(2026, 0, 15)).find(({ type }) => type === "timeZoneName");
      const [, sign = "+", hours = "0", minutes = "0"] =
        /GMT(?:([+-])(\d+):(\d+))?/.exec(january?.value ?? "") ?? [];
      const offsetHours = (sign === "-" ? -1 : 1) * (Number(hours) + Number(minutes) / 60);
      expect(Math.abs(longitude / 15 - offsetHours)).toBeLessThan(2.6);
    }
  });
});

describe("requested languages", () => {
  test("come instead of those of the country, in their order, and set the locale", () => {
    const place = localeIn("DE", ["fr-CH", "fr", "en"]);
    expect(place).toMatchObject({ timezone: "Europe/Berlin", locale: "fr-CH" });
    expect(acceptLanguage(place.languages)).toBe("fr-CH,fr;q=0.9,en;q=0.8");
  });

  test.each([
    [["fr;q=0.5", "en"], "fr,en;q=0.9"],
    [["*"], "*"],
    [["en", "en", "de"], "en,de;q=0.9"],
  ])("%j are put right", (languages, header) => {
    const place = localeIn("US", languages);
    expect(acceptLanguage(place.languages)).toBe(header);
    expect(Intl.getCanonicalLocales(place.locale)).toHaveLength(1);
  });

  test("however many are sent, and none with a quality that refuses it", () => {
    const many = Array.from({ length: 26 }, (_, index) => `a${String.fromCharCode(97 + index)}`);
    const header = acceptLanguage(localeIn("US", many).languages);
    expect(header.split(",")).toHaveLength(26);
    expect(header).toMatch(/q=0\.1$/);
  });
});
