import type { Statements } from "../storage/database/database.ts";
import type { EngineResult } from "../search/engines/search-engine.ts";

/** A page in the results of a search engine. */
export type FoundResult = Pick<EngineResult, "url" | "title" | "description" | "date">;

/**
 * A step of a check. A `unit` is a page, a crawl or the searches of a target. Documents and failures are
 * those of a crawl, by their position. Pages that a crawl missed are scraped. Search results are scraped and
 * judged. Other judgments are about pages of the check. The end step comes last.
 */
export type CheckStep =
  | { readonly kind: "unit"; readonly unit: number }
  | { readonly kind: "document" | "failure"; readonly target: number; readonly position: number }
  | { readonly kind: "missed"; readonly target: number; readonly url: string }
  | { readonly kind: "result"; readonly target: number; readonly result: FoundResult }
  | { readonly kind: "judge"; readonly page: number }
  | { readonly kind: "end" };

export function payloadOf(step: CheckStep): string {
  return JSON.stringify(step);
}

export function stepOf(payload: string): CheckStep {
  return JSON.parse(payload) as CheckStep;
}

/** Inserts steps that a running check has added. */
export async function insertSteps(
  tx: Statements,
  checkId: string,
  steps: readonly CheckStep[],
): Promise<void> {
  const row = await tx
    .prepared<{ last: number | null }>("SELECT max(number) AS last FROM monitor_steps WHERE check_id = ?")
    .get(checkId);
  const insert = tx.prepared("INSERT INTO monitor_steps (check_id, number, payload) VALUES (?, ?, ?)");
  const first = (row?.last ?? -1) + 1;
  for (const [index, step] of steps.entries()) await insert.run(checkId, first + index, payloadOf(step));
}

/** Removes and returns the first of these steps. Undefined when there is none. */
export async function takeStep(tx: Statements, checkId: string): Promise<string | undefined> {
  const row = await tx
    .prepared<{ payload: string }>(
      `DELETE FROM monitor_steps WHERE check_id = ? AND number =
         (SELECT min(number) FROM monitor_steps WHERE check_id = ?)
       RETURNING payload`,
    )
    .get(checkId, checkId);
  return row?.payload;
}
