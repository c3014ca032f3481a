import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { SCRAPE_ID, success, EXAMPLE_URL } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success } from "../api/operator-fields.ts";
import { defineOperation } from "../api/operation.ts";
import { ScrapeAnswer } from "../scrape/answer/schema.ts";
import { documentedScrapeRequest } from "../scrape/request/schema.ts";
import { searchAnswerOf } from "./data.ts";
import { searchRequestSchema } from "./request.ts";
import type { PageSearch } from "./run-search.ts";

const searchRequest = defineShape(
  "SearchRequest",
  () => z.unknown(),
  { query: "how anvils are made", limit: 5 },
  () => searchRequestSchema(documentedScrapeRequest()),
);

const FailedPage = z.strictObject({ sourceURL: z.string(), error: z.string() });
const page = {
  ...ScrapeAnswer.shape.data.partial().shape,
  metadata: z
    .union([ScrapeAnswer.shape.data.shape.metadata, FailedPage])
    .optional()
    .describe("Where pages were asked for."),
};
const common = {
  url: z.string(),
  title: z.string(),
  position: z.int().min(1).describe("From 1, in each list."),
  category: z.string().optional(),
};
const WebResult = lazy(() => z.strictObject({ ...page, ...common, description: z.string() }));
const NewsResult = lazy(() =>
  z.strictObject({
    ...page,
    ...common,
    snippet: z.string(),
    date: z.string().optional(),
    imageUrl: z.string().optional(),
  }),
);
const ImageResult = lazy(() =>
  z.strictObject({
    title: z.string(),
    imageUrl: z.string(),
    imageWidth: z.number().optional(),
    imageHeight: z.number().optional(),
    url: z.string().describe("The page that shows it."),
    position: z.int().min(1),
  }),
);

const searchAnswer = defineShape(
  "SearchAnswer",
  () =>
    z.strictObject({
      success: Success,
      data: z.strictObject({
        web: z.array(WebResult()).optional(),
        news: z.array(NewsResult()).optional(),
        images: z.array(ImageResult()).optional(),
        tools: z.array(z.looseObject({})).optional(),
      }),
      warning: z.string().optional().describe("What the engine cannot follow, and what is missing."),
      id: z.uuid(),
      creditsUsed: z.number(),
    }),
  {
    success,
    data: {
      web: [{ url: EXAMPLE_URL, title: "Example Domain", description: "For use in documents.", position: 1 }],
    },
    id: SCRAPE_ID,
    creditsUsed: 2,
  },
);

export const searchOperation = defineOperation({
  line: "POST /v2/search",
  tag: "Search",
  summary: "Look for pages, and scrape them where that is wanted",
  description:
    "Asks the search engines of this service, or the stored pages of the team, and scrapes the results where `scrapeOptions` are given.",
  endpoint: "search",
  rate: "search",
  isPaid: true,
  body: searchRequest,
  answer: searchAnswer,
  errors: [402, 403, 404, 408, 409, 500, 503],
  async handle(call, search: PageSearch) {
    const { id, caller, linkBase, body, signal } = call;
    if (isPrivate(body) || caller.team.flags.zeroDataRetention === "forced") call.keepPrivate();
    const outcome = await search.run({ id, caller, linkBase, body }, signal);
    return { success: true, ...searchAnswerOf(outcome) };
  },
});

function isPrivate(body: unknown): boolean {
  return typeof body === "object" && body !== null && "enterprise" in body;
}
