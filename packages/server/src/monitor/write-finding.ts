import type { Statements } from "../storage/database/database.ts";
import { type CheckPageRow, insertPage } from "./check-pages.ts";
import { tellPage } from "./check-events.ts";
import type { CheckWork } from "./check-work.ts";
import { isJudging } from "./request.ts";
import type { MonitorServices } from "./services.ts";
import { insertSteps } from "./steps.ts";
import type { Finding } from "./page-finding.ts";
import { NO_MODEL, recordDegraded } from "./target-results.ts";

type FindingWork = Pick<CheckWork, "check" | "plan">;

/**
 * Writes the result of a page in the transaction that ends its step. A page that is judged sends its webhook
 * event afterwards.
 */
export async function writeFinding(
  tx: Statements,
  { check, plan }: FindingWork,
  finding: Finding,
  services: MonitorServices,
): Promise<void> {
  const { name, page, state } = finding;
  const { states, store } = services;
  if (state === "forgotten") await states.remove(tx, name);
  else if (state) await states.set(tx, name, state);
  else if (page && !finding.isMissed) await states.touch(tx, name, check.id);
  if (!page) return;
  const row = await insertPage(tx, check.id, page, store.clock.now());
  if (isJudging(plan) && row.status === "changed") await judgeLater(tx, check, row, services);
  else await tellPage(tx, services.store.outbox, check, row);
}

/** Call this after the transaction: a rollback would otherwise leave the page without its known content. */
export async function discardOutdated(
  { outdatedBlobId }: Finding,
  { states }: Pick<MonitorServices, "states">,
): Promise<void> {
  await states.discard(outdatedBlobId);
}

async function judgeLater(
  tx: Statements,
  check: FindingWork["check"],
  page: CheckPageRow,
  services: MonitorServices,
): Promise<void> {
  if (services.models.isConfigured) return insertSteps(tx, check.id, [{ kind: "judge", page: page.number }]);
  const { targetId } = page;
  await recordDegraded(tx, { checkId: check.id, targetId, reason: NO_MODEL });
  await tellPage(tx, services.store.outbox, check, page);
}
