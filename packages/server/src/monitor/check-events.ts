import type { Statements } from "../storage/database/database.ts";
import type { Outbox } from "../jobs/webhooks/outbox.ts";
import type { CheckPageRow } from "./check-pages.ts";
import { type CheckRow, summaryOf } from "./check-rows.ts";
import type { Judgment } from "../api/monitor.ts";

type TellOutbox = Pick<Outbox, "tell">;

/** Reports the final result of a page (contract of the families, section 6.2). */
export async function tellPage(
  tx: Statements,
  outbox: TellOutbox,
  { id: checkId, monitorId }: Pick<CheckRow, "id" | "monitorId">,
  page: CheckPageRow,
): Promise<void> {
  const { url, status, previousScrapeId, currentScrapeId, error } = page;
  const judgment = page.judgment === null ? undefined : (JSON.parse(page.judgment) as Judgment);
  const head = JSON.stringify({
    monitorId,
    checkId,
    url,
    status,
    previousScrapeId,
    currentScrapeId,
    error,
    isMeaningful: judgment?.meaningful ?? null,
    ...(judgment && { judgment }),
  });
  // The diff is JSON already and may be large, so it is not parsed.
  const body = page.diff === null ? head : `${head.slice(0, -1)},"diff":${page.diff}}`;
  const isSuccess = status !== "error";
  await outbox.tell(tx, checkId, {
    word: "page",
    isSuccess,
    isBarrier: false,
    body,
    ...(error !== null && { error }),
  });
}

export async function tellEnd(tx: Statements, outbox: TellOutbox, check: CheckRow): Promise<void> {
  const { id: checkId, monitorId, status, failed } = check;
  const body = JSON.stringify({ monitorId, checkId, status, summary: summaryOf(check) });
  const isSuccess = failed === 0 && status === "completed";
  const error = isSuccess ? undefined : (check.error ?? `${failed} of ${check.total} pages failed.`);
  await outbox.tell(tx, checkId, { word: "check.completed", isSuccess, isBarrier: true, body, error });
}
