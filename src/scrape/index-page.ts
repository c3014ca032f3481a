import type { PageIndex } from "../stores/page-index/page-index.ts";
import type { ScrapeJob } from "./request/job.ts";
import type { Scraped } from "./scrape.ts";

/** What the team has seen of a page can be searched from now on. A copy that was answered before is known already. */
export function indexPage(
  job: ScrapeJob,
  { answer, facts, captureId }: Scraped,
  pageIndex: Pick<PageIndex, "add">,
): void {
  const { url, statusCode } = answer.capture;
  if (captureId === undefined || statusCode >= 400 || facts.cacheState === "hit") return;
  const { markdown, metadata } = answer.data(facts);
  const { title, description } = metadata;
  pageIndex.add({
    teamId: job.caller.teamId,
    url,
    scrapeId: job.id,
    captureId,
    title: typeof title === "string" ? title : "",
    description: typeof description === "string" ? description : "",
    markdown: markdown ?? "",
  });
}
