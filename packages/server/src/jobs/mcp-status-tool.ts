import { z } from "zod";

import { BATCH, type Job } from "./job-rows.ts";
import { documentIn, findJob, readTexts } from "./job-status.ts";
import type { ScrapeData } from "../scrape/answer/schema.ts";
import { defineTool, MAX_ID_LENGTH } from "../mcp/tool.ts";

/** Kinds of jobs that have pages, with the endpoint that a key needs for each. */
const KINDS = [
  { name: "crawl", endpoint: "crawl" },
  { name: BATCH, endpoint: "batch" },
] as const;
/** Lists are cut because every line costs tokens. */
const LISTED = 100;

export const crawlStatus = defineTool({
  title: "Pages of a crawl or batch",
  description: "Return how far a crawl or batch is, and its pages so far, with ids for read_document.",
  input: z.strictObject({
    id: z.string().max(MAX_ID_LENGTH),
    skip: z.int().min(0).default(0).describe("Pages to leave out."),
  }),
  hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  endpoint: "crawl",
  rate: "crawlStatus",
  async call({ id, skip }, { caller, signal }, services) {
    const { stores, records } = services.families.jobs;
    const { endpoints } = caller.restrictions;
    const kinds = KINDS.filter((kind) => !endpoints || endpoints.includes(kind.endpoint));
    const families = kinds.map(({ name }) => name);
    const found = await findJob(stores, { id, teamId: caller.teamId, families });
    const read = await readTexts(found, { skip, limit: LISTED, signal }, records, caller);
    const { texts, next, hasMore, release } = read;
    const pages: string[] = [];
    for (const text of texts) pages.push(lineOf(await documentIn(text)));
    release();
    const more = !hasMore ? [] : [`More pages: crawl_status with skip ${next}.`];
    const text = [stateOf(found.job), ...pages, ...more].join("\n");
    return { content: [{ type: "text", text }] };
  },
});

function stateOf({ state, total, completed, failed, warnings }: Job): string {
  const failures = failed > 0 ? `, ${failed} failed` : "";
  return [`${state}: ${completed} of ${total} pages${failures}.`, ...warnings].join(" ");
}

function lineOf({ metadata }: ScrapeData): string {
  const { url, title, scrapeId } = metadata as Readonly<Record<string, unknown>>;
  return [url, title, scrapeId].filter((part) => typeof part === "string").join(" – ");
}
