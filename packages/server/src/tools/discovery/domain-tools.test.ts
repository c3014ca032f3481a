import { expect, test } from "vitest";

import type { Caller } from "../../accounts/callers.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import type { Provider } from "../catalogue/provider.ts";
import { domainTools } from "./domain-tools.ts";

function providerOf(id: string, terms?: Provider["terms"]): Provider {
  const capability = { id: "say", description: `${id} says it.`, options: {}, creditsCost: 0 };
  const capabilities = [capability] as unknown as Provider["capabilities"];
  const about = { id, name: id, description: "", domains: ["site.test"], cohorts: [], capabilities };
  return terms ? { ...about, terms } : about;
}

const terms = { text: "Be kind.", version: "1", digest: "d" };
const catalogue = new Catalogue([providerOf("free"), providerOf("licensed", terms)]);
const services = {
  catalogue,
  terms: { require: async () => undefined, missing: async (_caller: object, one: Provider) => one.terms },
};
const WARNING = "The tools of licensed are left out: accept its terms first.";

test("a page that was redirected to has no tools of providers whose terms are not accepted, and a warning", async () => {
  const question = { url: "https://site.test/", detail: "compact", caller: {} as Caller } as const;
  expect(await domainTools(question, services)).toEqual({
    tools: [{ provider: "free", capability: "say", description: "free says it." }],
    warning: WARNING,
  });
});
