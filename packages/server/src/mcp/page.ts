import { z } from "zod";

import { boundedRecord } from "../api/bounded-record.ts";
import { limits } from "../api/limits.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { type ScrapeJob, startJob } from "../scrape/request/job.ts";
import { type RunServices, runScrape } from "../scrape/run.ts";
import type { Scraped } from "../scrape/scrape.ts";
import type { ToolContext } from "./tool.ts";

/** Options of every tool that opens a page. */
export const pageInput = {
  url: z.string().max(limits.urlLength).describe("URL of the page."),
  waitFor: z.int().min(0).optional().describe("Milliseconds to wait before the capture."),
  timeout: z.int().optional().describe("Deadline in milliseconds. Default: 60000."),
  options: boundedRecord(z.unknown())
    .optional()
    .describe("Other fields of POST /v2/scrape: actions, headers, location, includeTags, excludeTags …"),
};

/** A scrape with its job. */
interface DoneScrape extends Scraped {
  readonly job: ScrapeJob;
}

/** Runs one scrape, as by HTTP. @throws as `startJob` and `runScrape`; ZodError for an invalid body. */
export async function scrapePage(
  { options = {}, ...fields }: Readonly<Record<string, unknown>>,
  context: ToolContext,
  services: RunServices,
): Promise<DoneScrape> {
  const { caller, linkBase, signal } = context;
  const body = { ...(options as object), ...withoutMissing(fields), origin: "mcp" };
  const job = startJob(services.plan(body), { id: uuidV7(), caller, linkBase });
  return { job, ...(await runScrape(job, services, signal)) };
}

function withoutMissing(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
