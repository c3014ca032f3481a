import { z } from "zod";

import type { CallContext } from "../catalogue/capability.ts";
import type { Provider } from "../catalogue/provider.ts";
import { defineBuiltin } from "./define.ts";

/** Runs a scrape of this service for one format. */
export type ScrapeForData = (
  body: Readonly<Record<string, unknown>>,
  context: CallContext,
) => Promise<Readonly<Record<string, unknown>>>;

const Page = z.strictObject({ url: z.string().describe("The page.") });
const example = { url: "https://example.com" };

/** Data that this service finds by scraping. The scrape is charged as such; the call itself is free. */
export function pergamonProvider(scrape: ScrapeForData): Provider {
  return {
    id: "pergamon",
    name: "Pergamon",
    description: "Parts of web pages, scraped by this service.",
    domains: [],
    cohorts: ["web pages"],
    capabilities: [
      defineBuiltin({
        id: "page-metadata",
        name: "Page metadata",
        description:
          "Metadata from the head of a page: title, description, language and more. Charged as a scrape.",
        creditsCost: 0,
        // A repeated call would cost a second scrape.
        readOnly: false,
        options: Page,
        example,
        async call({ url }, context) {
          const { metadata } = await scrape({ url, formats: [] }, context);
          return { data: metadata };
        },
      }),
      defineBuiltin({
        id: "page-links",
        name: "Page links",
        description: "Absolute URLs of the links of a page. Charged as a scrape.",
        creditsCost: 0,
        // A repeated call would cost a second scrape.
        readOnly: false,
        options: Page,
        example,
        async call({ url }, context) {
          const { links } = await scrape({ url, formats: ["links"], onlyMainContent: false }, context);
          return { data: { links } };
        },
      }),
    ],
  };
}
