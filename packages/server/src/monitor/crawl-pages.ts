import { documentIn } from "../jobs/job-status.ts";
import { type CheckWork, endStep } from "./check-work.ts";
import type { MonitorServices } from "./services.ts";
import { failedPage, type Finding, findChange } from "./page-finding.ts";
import { resultsIn } from "./target-results.ts";
import { discardOutdated, writeFinding } from "./write-finding.ts";

interface CrawlPlace {
  readonly kind: "document" | "failure";
  readonly target: number;
  readonly position: number;
}

/** Compares a page that the crawl of a target found. */
export async function compareCrawled(
  work: CheckWork,
  place: CrawlPlace,
  services: MonitorServices,
): Promise<void> {
  const finding = await findingOf(work, place, services);
  let isWritten = false;
  await endStep(work, services, async (tx) => {
    if (finding) await writeFinding(tx, work, finding, services);
    isWritten = true;
  });
  if (finding && isWritten) await discardOutdated(finding, services);
}

/** Ends a page whose comparison failed three times. */
export async function giveUpCrawled(
  work: CheckWork,
  { target: index }: CrawlPlace,
  reason: string,
  services: MonitorServices,
): Promise<void> {
  const { check, plan, signal } = work;
  const target = plan.targets[index];
  await endStep(work, services, async (tx) => {
    if (!target || target.type !== "crawl") return;
    const message = `A page of the crawl could not be compared: ${reason}`;
    const failed = failedPage({ work: { check, plan, signal, target }, url: target.url }, { message });
    await writeFinding(tx, work, failed, services);
  });
}

const FORBIDDEN = "The robots.txt of the site forbids to visit this page now.";

async function findingOf(
  { check, plan, signal }: CheckWork,
  { kind, target: index, position }: CrawlPlace,
  services: MonitorServices,
): Promise<Finding | undefined> {
  const { store, scraping } = services;
  const target = plan.targets[index];
  const crawlId = resultsIn(check.targets)[index]?.crawlId;
  if (!target || crawlId === undefined) return undefined;
  const work = { check, plan, signal, target };
  if (kind === "failure") {
    const error = await store.database
      .prepared<{ url: string; message: string }>(
        "SELECT url, message FROM job_errors WHERE run_id = ? AND number = ?",
      )
      .get(crawlId, position);
    return error && failedPage({ work, url: error.url }, { message: error.message || FORBIDDEN });
  }
  const row = await store.database
    .prepared<{ scrapeId: string }>(
      `SELECT scrape_id AS "scrapeId" FROM job_documents WHERE run_id = ? AND position = ?`,
    )
    .get(crawlId, position);
  const text = row && (await scraping.records.answer(row.scrapeId));
  if (text === undefined) return undefined;
  const document = await documentIn(text);
  return findChange({ work, url: document.metadata.sourceURL }, document, services);
}
