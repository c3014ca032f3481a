import { expect, test } from "vitest";

import { Catalogue } from "../catalogue/catalogue.ts";
import type { Provider } from "../catalogue/provider.ts";
import type { ToolServices } from "../run-tools.ts";
import { findForSearch, type ToolSearch } from "./search-tools.ts";

function providerOf(id: string, more: Pick<Provider, "domains" | "terms">): Provider {
  const capabilities = [{ id: "say", description: "Says it.", options: {}, creditsCost: 0 }];
  const about = { id, name: id, description: "", cohorts: [], ...more };
  return { ...about, capabilities: capabilities as unknown as Provider["capabilities"] };
}

const catalogue = new Catalogue([
  providerOf("free", { domains: ["site.test"] }),
  providerOf("licensed", { domains: ["site.test"], terms: { text: "Be kind.", version: "1", digest: "d" } }),
  providerOf("elsewhere", { domains: ["other.test"] }),
]);
const services = {
  catalogue,
  terms: { missing: async (_caller: object, { terms }: Provider) => terms },
} as unknown as ToolServices;

const found = (urls: readonly string[], request: object = {}) => {
  const search = { query: "x", limit: 5, byQuery: false, byDomain: true, ...request };
  return findForSearch(search as ToolSearch, urls, services);
};
const PAGE = "https://site.test/a";

test("tools for the hosts of results are those whose terms are accepted; a warning names the others", async () => {
  expect(await found([PAGE, "https://nobody.test/"])).toEqual({
    tools: [expect.objectContaining({ provider: "free" })],
    warnings: ["The tools of licensed are left out: accept its terms first."],
  });
  expect(await found(["https://nobody.test/"])).toEqual({ tools: [], warnings: [] });
});

test("nothing is looked up where no tools are wanted", async () => {
  expect(await found([PAGE], { byDomain: false })).toEqual({ tools: undefined, warnings: [] });
});
