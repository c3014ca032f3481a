import type { Judgment } from "../api/monitor.ts";
import type { Again } from "../jobs/queue/task-queue.ts";
import type { Statements } from "../storage/database/database.ts";
import { ModelFailure } from "../storage/models/model-failure.ts";
import type { ScrapeData } from "../scrape/answer/schema.ts";
import { giveUpPage, makePage } from "../jobs/make-page.ts";
import type { PageTask } from "../jobs/page-rows.ts";
import type { CheckWork } from "./check-work.ts";
import { judgeQuestion } from "./judgment.ts";
import type { MonitorServices } from "./services.ts";
import type { SearchTarget } from "./targets.ts";
import type { FoundResult } from "./steps.ts";
import { resultFinding, statusOfJudgment } from "./search-results.ts";
import { changeResult, recordDegraded } from "./target-results.ts";
import { writeFinding } from "./write-finding.ts";

/** A search result that no check has judged. */
export interface FreshResult {
  readonly target: SearchTarget;
  readonly result: FoundResult;
}

/** Judgment of a result's page, or the reason why there is none. */
type Verdict =
  | { readonly judgment: Judgment; readonly document: ScrapeData }
  | { readonly reason: string; readonly statusCode?: number; readonly isModelFailure: boolean };

const FIRST_FAILURE = 400;

/**
 * Scrapes the page of a result and has it judged. The price of the page includes both. A result without a
 * judgment costs nothing.
 */
export function judgeResult(
  work: CheckWork,
  fresh: FreshResult,
  services: MonitorServices,
): Promise<Again | undefined> {
  return makePage(pageOf(work, fresh, services), services);
}

/** Ends a result whose page used up its attempts. */
export function giveUpResult(
  work: CheckWork,
  fresh: FreshResult,
  reason: string,
  services: MonitorServices,
): Promise<void> {
  return giveUpPage(pageOf(work, fresh, services), reason);
}

function pageOf(work: CheckWork, fresh: FreshResult, services: MonitorServices): PageTask {
  const { task, check, plan, signal } = work;
  const { store } = services;
  let verdict: Verdict | undefined;
  return {
    task: { ...task, signal },
    store,
    url: fresh.result.url,
    kind: "monitor",
    options: plan.ofTarget(fresh.target).pages,
    async prepare(scraped) {
      const document = scraped.answer.data(scraped.facts);
      verdict = await verdictOn({ work, fresh }, document, services);
    },
    mayBecomeDocument: async () => verdict !== undefined && "judgment" in verdict,
    async write(tx, _run, scraped, failure) {
      const message = failure?.message ?? "The page could not be made.";
      const failed: Verdict = { reason: message, isModelFailure: false };
      const isOver = scraped !== undefined || failure === undefined;
      await writeVerdict(tx, { work, fresh, verdict: isOver && verdict ? verdict : failed }, services);
      await store.dispatcher.admit(tx, check.id, 0);
    },
  };
}

interface Judged {
  readonly work: CheckWork;
  readonly fresh: FreshResult;
}

async function verdictOn(
  { work: { plan, signal, check }, fresh: { result } }: Judged,
  document: ScrapeData,
  { models }: MonitorServices,
): Promise<Verdict> {
  const { statusCode, blocked, error = "" } = document.metadata;
  if (statusCode >= FIRST_FAILURE)
    return { reason: `The page answered ${statusCode}.`, statusCode, isModelFailure: false };
  if (blocked) return { reason: error, statusCode, isModelFailure: false };
  const { markdown = "" } = document as { readonly markdown?: string };
  const text = [result.title, result.description, markdown].join("\n\n");
  const question = judgeQuestion({ goal: plan.goal ?? "", url: result.url, what: "result", text });
  try {
    const { answer } = await models.ask(question, signal, check.teamId);
    return { judgment: answer, document };
  } catch (failure) {
    signal.throwIfAborted();
    if (!(failure instanceof ModelFailure)) throw failure;
    return { reason: failure.message, statusCode, isModelFailure: true };
  }
}

async function writeVerdict(
  tx: Statements,
  { work, fresh, verdict }: Judged & { readonly verdict: Verdict },
  services: MonitorServices,
): Promise<void> {
  const [checkId, targetId] = [work.check.id, fresh.target.id];
  if (!("judgment" in verdict)) {
    const { reason, statusCode = null, isModelFailure } = verdict;
    const skipped = resultFinding(work, { ...fresh, searchStatus: "skipped" }, { error: reason, statusCode });
    await writeFinding(tx, work, skipped, services);
    if (isModelFailure) await recordDegraded(tx, { checkId, targetId, reason });
    return;
  }
  const { judgment, document } = verdict;
  const { statusCode, scrapeId, creditsUsed } = document.metadata;
  const searchStatus = statusOfJudgment(judgment);
  const page = { statusCode, currentScrapeId: scrapeId, judgment: JSON.stringify(judgment) };
  await writeFinding(tx, work, resultFinding(work, { ...fresh, searchStatus }, page), services);
  await changeResult(tx, checkId, targetId, ({ judgeCredits = 0, resultsJudged = 0, matches = 0 }) => ({
    judgeCredits: judgeCredits + creditsUsed,
    resultsJudged: resultsJudged + 1,
    matches: matches + (searchStatus === "alert" ? 1 : 0),
  }));
}
