import { describe, expect, test } from "vitest";

import { engineQueryOf, withDefaults } from "./find-results.ts";
import type { SearchRequest } from "./request.ts";

const request = (given: Partial<SearchRequest>) =>
  ({
    query: "anvils",
    limit: 5,
    sources: [{ type: "web" }],
    categories: [],
    includeDomains: [],
    excludeDomains: [],
    ...given,
  }) as unknown as SearchRequest;
const periodOf = (tbs: string) => engineQueryOf(request({ tbs }), "web").period;

describe("when", () => {
  test.each([
    ["qdr:h", { since: "hour" }],
    ["qdr:y", { since: "year" }],
    ["sbd:1,qdr:w", { since: "week" }],
    ["cdr:1,cd_min:5/1/2026,cd_max:12/31/2026", { from: "2026-05-01", to: "2026-12-31" }],
    ["cdr:1,cd_min:2/29/2028,cd_max:3/1/2028", { from: "2028-02-29", to: "2028-03-01" }],
  ])("%s is a period", (tbs, period) => {
    expect(periodOf(tbs)).toEqual(period);
  });

  test.each([
    "",
    "qdr:x",
    "xqdr:w",
    "cdr:1,cd_min:5/1/2026",
    "cdr:1,cd_min:13/1/2026,cd_max:12/31/2026",
    "cdr:1,cd_min:2/30/2026,cd_max:12/31/2026",
    "cdr:1,cd_min:0/1/2026,cd_max:12/31/2026",
    "cdr:1,cd_min:2026-05-01,cd_max:2026-05-31",
  ])("%j is none", (tbs) => {
    expect(periodOf(tbs)).toBeUndefined();
  });

  test("newest first has to be asked for by itself", () => {
    const sorts = (tbs: string) => engineQueryOf(request({ tbs }), "web").sortsByDate;
    expect(["sbd:1", "qdr:w,sbd:1", "sbd:0", "sbd:10", ""].map(sorts)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("what a source says of itself", () => {
  const sources = [
    { type: "web", lang: "DE", tbs: undefined },
    { type: "news" },
  ] as unknown as SearchRequest["sources"];
  const given = request({ sources, lang: "fr", tbs: "qdr:d", country: "at" });

  test("holds for it alone, and leaves what it does not say", () => {
    expect(engineQueryOf(given, "web")).toMatchObject({
      language: "de",
      country: "AT",
      period: { since: "day" },
    });
    expect(engineQueryOf(given, "news")).toMatchObject({ language: "fr", country: "AT" });
  });
});

describe("defaults", () => {
  test("are English and the United States, but for a place in words", () => {
    expect(withDefaults(engineQueryOf(request({}), "web"))).toMatchObject({ language: "en", country: "US" });
    const there = withDefaults(engineQueryOf(request({ location: "Vienna" }), "web"));
    expect(there).toMatchObject({ language: "en", country: undefined, location: "Vienna" });
    expect(withDefaults(engineQueryOf(request({ country: "at", location: "Vienna" }), "web")).country).toBe(
      "AT",
    );
  });
});
