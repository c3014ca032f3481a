import { z } from "zod";

import { success, EXAMPLE_URL } from "../api/example-values.ts";
import { limits } from "../api/limits.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success } from "../api/operator-fields.ts";
import type { PageSearch } from "./run-search.ts";
import { searchData } from "./data.ts";
import { defineOperation } from "../api/operation.ts";
import { jobOptionsOf } from "../jobs/version-1-options.ts";
import type { LooseOptions } from "../scrape/version-1-options.ts";

const DEFAULT_LIMIT = 5;

export const search1 = defineOperation({
  line: "POST /v1/search",
  tag: "Version 1",
  summary: "Look for pages, and scrape them where that is wanted",
  endpoint: "search",
  rate: "search",
  isPaid: true,
  body: defineShape("SearchRequest1", () => z.looseObject({ query: z.string().max(limits.promptLength) }), {
    query: "how anvils are made",
  }),
  answer: defineShape(
    "SearchAnswer1",
    () =>
      z.strictObject({
        success: Success,
        data: z.array(z.looseObject({ url: z.string(), title: z.string(), description: z.string() })),
        warning: z.string().optional(),
      }),
    {
      success,
      data: [
        { url: EXAMPLE_URL, title: "Example Domain", description: "For use in documents.", position: 1 },
      ],
    },
  ),
  errors: [402, 403, 408, 503],
  async handle(call, search: PageSearch) {
    const { id, caller, linkBase, signal } = call;
    if (caller.team.flags.zeroDataRetention === "forced") call.keepPrivate();
    const body = bodyOf(call.body);
    const outcome = await search.run({ id, caller, linkBase, body }, signal);
    const { web = [] } = searchData(outcome);
    return { success: true, data: web, warning: outcome.warning };
  },
});

/** Clients send `scrapeOptions` without formats, which then request no pages. */
function bodyOf(body: LooseOptions): LooseOptions {
  const { scrapeOptions } = body;
  const isGiven = typeof scrapeOptions === "object" && scrapeOptions !== null;
  return {
    limit: DEFAULT_LIMIT,
    highlights: false,
    ...body,
    ...(isGiven && { scrapeOptions: jobOptionsOf(scrapeOptions as LooseOptions) }),
  };
}
