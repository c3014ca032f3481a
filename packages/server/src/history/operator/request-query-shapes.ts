import { z } from "zod";

import { CursorQuery, limitOf, TeamQuery } from "../../api/operator-fields.ts";

/** `GET /admin/api/requests.jsonl`; `GET /admin/api/requests` counts, too. */
export const RequestQuery = z.object({
  team: TeamQuery,
  key: z.string().max(100).optional().describe("Id of the key."),
  status: z.enum(["completed", "failed"]).optional(),
  kind: z.string().max(50).optional().describe("Kind of work: scrape, map, session, tool, refused …"),
  domain: z.string().max(253).optional().describe("Host name, including its subdomains."),
  search: z.string().max(500).optional().describe("Part of the URL, or an id."),
  code: z.string().max(100).optional().describe("Error code."),
  statusCode: z.coerce.number().int().min(0).max(999).optional().describe("HTTP status of the page."),
  format: z.string().max(50).optional(),
  way: z.string().max(50).optional().describe("Source of the page: cache, http, browser …"),
  partial: z
    .enum(["true", "false"])
    .default("false")
    .describe("True: only requests whose response lacks something that was asked for."),
  refused: z.literal("false").optional().describe("False: without calls that were refused."),
  since: z.iso.datetime().optional(),
  until: z.iso.datetime().optional().describe("End of the period, exclusive."),
  limit: limitOf(100, 1000),
  cursor: CursorQuery,
});

/** Maximum of a total. */
export const MAX_COUNTED_REQUESTS = 10_000;

export const RequestListQuery = RequestQuery.extend({
  count: z.enum(["true", "false"]).default("false").describe("True: the response has `total`."),
});

export type RequestQuery = z.output<typeof RequestQuery>;
