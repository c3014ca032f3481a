import { z } from "zod";

import type { Provider } from "../catalogue/provider.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { discover, DiscoverOptions } from "../discovery/discover.ts";
import type { AcceptedTerms } from "../requests/terms.ts";
import { defineBuiltin, mustFind } from "./define.ts";

interface FirecrawlServices {
  /** A function, because the catalogue is only complete after this provider exists. */
  readonly catalogue: () => Catalogue;
  readonly terms: AcceptedTerms;
}

const TermsOf = z.strictObject({ provider: z.string() });
const Acceptance = z.strictObject({
  provider: z.string(),
  version: z.string(),
  digest: z.string(),
  confirmed: z.literal(true),
});

/**
 * Tools with which clients find other tools and accept terms. Clients expect these names of provider and
 * capabilities.
 */
export function firecrawlProvider({ catalogue, terms }: FirecrawlServices): Provider {
  const providerNamed = (id: string) => mustFind(catalogue().provider(id), `provider ${JSON.stringify(id)}`);
  const free = { creditsCost: 0, readOnly: true } as const;
  return {
    id: "firecrawl",
    name: "Discovery",
    description: "Finds available tools, and the terms of their providers.",
    domains: [],
    cohorts: ["discovery"],
    capabilities: [
      defineBuiltin({
        ...free,
        id: "find-tools",
        name: "Find tools",
        description: "Lists providers, groups or tools that match words, domains or names.",
        options: DiscoverOptions,
        example: { query: "weather", level: "tools" },
        call: async (options) => ({ data: await discover(options, catalogue()) }),
      }),
      defineBuiltin({
        ...free,
        id: "terms/show",
        name: "Show terms",
        description: "Read the terms of a provider, and what to send to accept them.",
        options: TermsOf,
        async call({ provider }) {
          const { terms: shown } = providerNamed(provider);
          return { data: shown ? { provider, ...shown, required: true } : { provider, required: false } };
        },
      }),
      defineBuiltin({
        ...free,
        id: "terms/accept",
        name: "Accept terms",
        description: "Accepts the terms of a provider for the whole team.",
        options: Acceptance,
        async call({ confirmed: _yes, ...acceptance }, { caller }) {
          const { provider, version, digest } = acceptance;
          const atMs = await terms.accept(caller, providerNamed(provider), acceptance);
          return { data: { provider, version, digest, acceptedAt: new Date(atMs).toISOString() } };
        },
      }),
    ],
  };
}
