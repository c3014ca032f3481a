import type { Statements } from "../storage/database/database.ts";
import type { EngineResult } from "../search/engines/search-engine.ts";

/** What a search says of a page. */
export type FoundResult = Pick<EngineResult, "url" | "title" | "description" | "date">;

/**
 * Something that a check has to do. A unit is a page, a crawl or the searches of a target; documents and failures are
 * those of a crawl, by their place in it; a page that a crawl missed is scraped; a result is one of a search, to be scraped and judged; what else is judged is a
 * page of the check. The end comes when all is done.
 */
export type CheckStep =
  | { readonly kind: "unit"; readonly unit: number }
  | { readonly kind: "document" | "failure"; readonly target: number; readonly place: number }
  | { readonly kind: "missed"; readonly target: number; readonly url: string }
  | { readonly kind: "result"; readonly target: number; readonly result: FoundResult }
  | { readonly kind: "judge"; readonly page: number }
  | { readonly kind: "end" };

/** As the engine keeps it. */
export function payloadOf(step: CheckStep): string {
  return JSON.stringify(step);
}

export function stepOf(payload: string): CheckStep {
  return JSON.parse(payload) as CheckStep;
}

/** Writes down steps that came up while the check was under way. */
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

/** Takes the first of these steps out; undefined when there is none. */
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
