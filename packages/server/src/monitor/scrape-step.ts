import type { Again } from "../jobs/queue/jobs.ts";
import { documentIn } from "../jobs/run-status.ts";
import { giveUpPage, makePage } from "../jobs/make-page.ts";
import type { PageTask } from "../jobs/page-rows.ts";
import type { CheckWork } from "./check-work.ts";
import type { MonitorServices } from "./services.ts";
import type { CrawlTarget, ScrapeTarget } from "./targets.ts";
import { failedPage, type Finding, findChange } from "./page-finding.ts";
import { discardOutdated, writeFinding } from "./write-finding.ts";

/** A page of a target, or one that its crawl should have met. */
export interface TargetPage {
  readonly target: ScrapeTarget | CrawlTarget;
  readonly url: string;
  readonly isMissed?: boolean;
}

/** Scrapes a page and compares it. What it costs, its document and what was found are one transaction. */
export async function scrapePage(
  work: CheckWork,
  page: TargetPage,
  services: MonitorServices,
): Promise<Again | undefined> {
  const made = pageOf(work, page, services);
  const again = await makePage(made.page, services);
  const finding = made.finding();
  if (!again && finding) await discardOutdated(finding, services);
  return again;
}

/** Ends a page that failed too often. */
export async function giveUpScrape(
  work: CheckWork,
  page: TargetPage,
  reason: string,
  services: MonitorServices,
): Promise<void> {
  await giveUpPage(pageOf(work, page, services).page, reason);
}

function pageOf(work: CheckWork, { target, url, isMissed }: TargetPage, services: MonitorServices) {
  const { step, check, plan, signal } = work;
  const { place, plans } = services;
  const met = { work: { check, plan, signal, target }, url, isMissed };
  let finding: Finding | undefined;
  let isWritten = false;
  const page: PageTask = {
    task: { ...step, signal },
    place,
    url,
    kind: "monitor",
    options: plans.ofTarget(check.id, target).pages,
    async prepare(scraped) {
      const document = documentIn(JSON.stringify(scraped.answer.data(scraped.facts)));
      finding = await findChange(met, document, services);
    },
    async write(tx, run, scraped, failure) {
      const failed = { message: failure?.message ?? "The page could not be made." };
      const found = scraped && finding ? finding : failedPage(met, failed);
      await writeFinding(tx, work, found, services);
      await place.dispatcher.admit(tx, run.id, 0);
      isWritten = scraped !== undefined;
    },
  };
  return { page, finding: () => (isWritten ? finding : undefined) };
}
