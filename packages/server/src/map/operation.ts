import { z } from "zod";

import { SCRAPE_ID, EXAMPLE_URL } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { defineOperation } from "../api/operation.ts";
import { documentedScrapeRequest } from "../scrape/request/schema.ts";
import { mapRequestSchema } from "./request.ts";
import type { SiteMapper } from "./run-map.ts";

const mapRequest = defineShape(
  "MapRequest",
  () => z.unknown(),
  { url: "https://example.com", search: "pricing", limit: 100 },
  () => mapRequestSchema(documentedScrapeRequest()),
);

const mapAnswer = defineShape(
  "MapAnswer",
  () =>
    z.object({
      success: z.literal(true),
      id: z.uuid(),
      links: z.array(
        z.object({
          url: z.string(),
          title: z.string().optional().describe("Title of the page, when a source states it."),
          description: z.string().optional(),
        }),
      ),
      warning: z.string().optional().describe("What may be missing from the list, and why."),
    }),
  {
    success: true,
    id: SCRAPE_ID,
    links: [{ url: EXAMPLE_URL, title: "Example Domain" }],
  },
);

export const mapOperation = defineOperation({
  line: "POST /v2/map",
  tag: "Sites",
  summary: "List the pages of a site",
  description:
    "Lists the URLs of a site, from its sitemaps, the links of one page and the stored pages. Nothing is scraped.",
  endpoint: "map",
  rate: "map",
  isPaid: true,
  body: mapRequest,
  answer: mapAnswer,
  errors: [402, 403, 408],
  async handle(call, mapper: SiteMapper) {
    const { id, caller, linkBase, body, signal, startedAtMs } = call;
    const asked = { id, caller, linkBase, body, startedAtMs };
    const { links, warning, id: mapId } = await mapper.run(asked, signal);
    call.note({ mapId, links: links.length });
    return { success: true, id: mapId, links, warning };
  },
});
