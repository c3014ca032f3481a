import { credits } from "../api/credits.ts";
import { ServiceError } from "../api/errors.ts";
import { ownFailure } from "@pergamon-dev/kit/process/own-failure";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { AlsoWrite } from "../accounts/ledger.ts";
import type { Statements } from "../storage/database/database.ts";
import { ModelFailure } from "../storage/models/model-failure.ts";
import { type CheckPageRow, getPage, setJudgment } from "./check-pages.ts";
import { tellPage } from "./check-events.ts";
import { changeCheck, getCheck } from "./check-rows.ts";
import { type CheckWork, endStep } from "./check-work.ts";
import type { PageDiff } from "./compare-page.ts";
import type { Judgment } from "../api/monitor.ts";
import { type JudgedChange, judgeQuestion } from "./judgment.ts";
import type { MonitorServices } from "./services.ts";
import { changeResult, recordDegraded } from "./target-results.ts";

/**
 * Has a model judge a page of a check. A failed judgment costs nothing, and the page is reported without one.
 */
export async function judgePage(work: CheckWork, number: number, services: MonitorServices): Promise<void> {
  const { check, signal } = work;
  const page = await getPage(services.store.database, check.id, number);
  try {
    if (!page) return await endStep(work, services, async () => undefined);
    await judgeAndPay(work, page, services);
  } catch (failure) {
    signal.throwIfAborted();
    const reason = reasonOf(failure);
    if (reason === undefined) throw failure;
    await endUnjudged(work, number, reason, services);
  }
}

/** Ends the step without a judgment. */
export async function endUnjudged(
  work: CheckWork,
  number: number,
  reason: string,
  services: MonitorServices,
): Promise<void> {
  const { check } = work;
  await endStep(work, services, async (tx) => {
    const page = await getPage(tx, check.id, number);
    if (!page) return;
    await recordDegraded(tx, { checkId: check.id, targetId: page.targetId, reason });
    await tellPage(tx, services.store.outbox, check, page);
  });
}

async function judgeAndPay(work: CheckWork, page: CheckPageRow, services: MonitorServices): Promise<void> {
  const { job, plan, signal, check } = work;
  const caller = await services.callers.ofWork(job);
  if (!caller) throw new ServiceError("BAD_REQUEST", { message: "The API key is not in use any more." });
  const { scraping, models } = services;
  const startedAtMs = Date.now();
  const order = { id: uuidV7(startedAtMs), startedAtMs, payer: caller.payer, amount: credits.judgment };
  const hold = await scraping.charges.hold(order);
  try {
    if (!models.isConfigured) throw new ModelFailure("rejected", "No language model is set.");
    const question = judgeQuestion({ ...changeOf(page), goal: plan.goal ?? "" });
    const { answer } = await models.ask(question, signal, check.teamId);
    await scraping.charges.charge(hold, {
      credits: credits.judgment,
      alsoWrite: judged(work, { page, answer }, services),
    });
  } finally {
    await hold.release();
  }
}

interface Judged {
  readonly page: CheckPageRow;
  readonly answer: Judgment;
}

/** Writes the judgment in the transaction of its charge. */
function judged(work: CheckWork, { page, answer }: Judged, services: MonitorServices): AlsoWrite {
  const { store } = services;
  const { outbox } = store;
  return async (tx, pay) => {
    const job = await work.task.end(tx);
    if (!job) return;
    const { check } = work;
    if (await pay()) {
      const judgment = JSON.stringify(answer);
      await setJudgment(tx, { checkId: check.id, number: page.number, judgment });
      await countJudgment(tx, work, page);
      await tellPage(tx, outbox, check, { ...page, judgment });
    } else {
      const reason = "The credits are used up.";
      await recordDegraded(tx, { checkId: check.id, targetId: page.targetId, reason });
      await tellPage(tx, outbox, check, page);
    }
    await store.dispatcher.admit(tx, check.id, 0);
    await store.dispatcher.dispatchNext(tx, job);
  };
}

async function countJudgment(
  tx: Statements,
  { check: { id } }: CheckWork,
  { targetId }: CheckPageRow,
): Promise<void> {
  const now = await getCheck(tx, id);
  await changeCheck(tx, id, { extraCredits: (now?.extraCredits ?? 0) + credits.judgment });
  await changeResult(tx, id, targetId, ({ judgeCredits = 0 }) => ({
    judgeCredits: judgeCredits + credits.judgment,
  }));
}

function changeOf(page: CheckPageRow): Omit<JudgedChange, "goal"> {
  const { url } = page;
  const { text = "", json } = JSON.parse(page.diff ?? "{}") as PageDiff;
  const isValues = json !== undefined && !("files" in json && Array.isArray(json.files));
  const values = isValues ? JSON.stringify(json, null, 1) : "";
  if (!isValues) return { url, what: "diff", text };
  return { url, what: "values", text: text === "" ? values : `${values}\n\n${text}` };
}

/** Reason of a missing judgment. Undefined when the next attempt may succeed. */
function reasonOf(failure: unknown): string | undefined {
  if (ownFailure(failure)) return undefined;
  if (failure instanceof ModelFailure) return failure.message;
  if (failure instanceof ServiceError && failure.code !== "billing_unavailable") return failure.message;
  return undefined;
}
