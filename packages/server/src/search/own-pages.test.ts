import { expect, test } from "vitest";

import type { Caller } from "../accounts/callers.ts";
import type { EngineQuery } from "./engines/search-engine.ts";
import type { PageIndex } from "../history/page-index/page-index.ts";
import { ownPages } from "./own-pages.ts";

test("pages of some hosts alone are chosen by their addresses, and only those shown are excerpted", async () => {
  const excerpted: string[] = [];
  const index = {
    search: async ({ limit }: { readonly limit: number }) =>
      Array.from({ length: limit }, (_, number) => ({
        url: `https://${number % 2 === 0 ? "shop" : "blog"}.test/${number}`,
        title: `Page ${number}`,
        description: "described",
      })),
    copies: async ({ urls }: { readonly urls: readonly string[] }) => {
      excerpted.push(...urls);
      return new Map([[urls[0] ?? "", { excerpt: "its telling lines" }]]);
    },
  } as unknown as PageIndex;
  const caller = { teamId: "team", restrictions: {} } as Caller;
  const query = { kind: "web", words: "anvil", limit: 3, includeDomains: ["shop.test"], excludeDomains: [] };
  const results = await ownPages(index, { caller, categories: [] }).search(
    query as unknown as EngineQuery,
    new AbortController().signal,
  );
  const urls = [0, 2, 4].map((number) => `https://shop.test/${number}`);
  expect(results.map(({ url }) => url)).toEqual(urls);
  expect(results.map(({ description }) => description)).toEqual([
    "its telling lines",
    "described",
    "described",
  ]);
  expect(excerpted).toEqual(urls);
});
