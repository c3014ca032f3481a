import { describe, expect, test } from "vitest";

import type { Capability } from "./capability.ts";
import { hostOf, isInDomain } from "./domains.ts";
import { type CatalogueTool, ToolIndex } from "./tool-index.ts";
import type { Provider } from "./provider.ts";

function tool(id: string, description: string, domains: readonly string[] = []): CatalogueTool {
  const provider = { id: "p", name: "P", cohorts: [], domains } as unknown as Provider;
  return { provider, capability: { id, name: id, description } as unknown as Capability };
}

const TOOLS = [
  tool("weather", "Forecasts of rain for a place"),
  tool("papers", "Finds papers of science by their words, and rain too"),
  tool("stocks", "Prices of shares", ["bourse.test"]),
];
const index = new ToolIndex(TOOLS);
const ids = (query: string, tools = TOOLS) => index.rank(tools, query).map(({ capability }) => capability.id);

describe("tools are found by words", () => {
  test("whatever their case and the signs around them", () => {
    expect(ids("SHARES?")).toEqual(["stocks"]);
    expect(ids("bourse")).toEqual(["stocks"]);
  });

  test("the shorter description first, of the same words", () => {
    expect(ids("rain")).toEqual(["weather", "papers"]);
  });

  test("a rare word counts more than a common one", () => {
    expect(ids("rain science")[0]).toBe("papers");
  });

  test("a word that comes again in the query counts once", () => {
    expect(ids("rain rain rain science")).toEqual(ids("rain science"));
  });

  test("none where no word occurs, without words, and of none", () => {
    expect([ids("anvil"), ids(""), ids("?!"), ids("rain", [])]).toEqual([[], [], [], []]);
  });

  test("also those that were not there at the start", () => {
    expect(ids("anvil", [...TOOLS, tool("smith", "Makes an anvil")])).toEqual(["smith"]);
  });
});

describe("domains", () => {
  test.each([
    ["a.test", "a.test", true],
    ["b.a.test", "a.test", true],
    ["ba.test", "a.test", false],
    ["a.test.evil.test", "a.test", false],
    ["a.test", "b.a.test", false],
  ])("%s in %s: %j", (host, domain, isIn) => {
    expect(isInDomain(host, domain)).toBe(isIn);
  });

  test.each([
    ["https://A.test/x", "a.test"],
    ["a.test/x?y", "a.test"],
    ["a.test:8080", "a.test"],
    ["bücher.test", "xn--bcher-kva.test"],
    ["", undefined],
    ["http://", undefined],
    ["a b", undefined],
  ])("the host of %j is %s", (text, host) => {
    expect(hostOf(text)).toBe(host);
  });
});
