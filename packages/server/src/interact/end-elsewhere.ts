import { NotFoundError, ServiceError } from "../api/errors.ts";
import type { Coordinator } from "../storage/coordination/coordinator.ts";
import type { SessionEnd } from "./session.ts";
import type { SessionRow, SessionRows } from "./session-rows.ts";

/** The topic that tells the process of a session to end it. */
export const END_TOPIC = "interact end";
/** How long another process may take to end a session, and how often its row is read meanwhile. */
const MAX_END_MS = 20_000;
const POLL_MS = 100;

/**
 * Ends a session that runs in another process.
 * @throws NotFoundError when its row is gone; ServiceError SESSION_NOT_ENDED when that process does not end it in time.
 */
export async function endElsewhere(
  { id, createdAtMs }: SessionRow,
  {
    coordinator,
    rows,
  }: { readonly coordinator: Pick<Coordinator, "tell">; readonly rows: Pick<SessionRows, "get"> },
): Promise<SessionEnd> {
  await coordinator.tell(END_TOPIC, id);
  const untilMs = performance.now() + MAX_END_MS;
  while (performance.now() < untilMs) {
    const row = await rows.get(id);
    if (!row) throw sessionNotFound();
    if (row.endedAtMs !== null) return { durationMs: row.endedAtMs - createdAtMs, credits: row.credits ?? 0 };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new ServiceError("SESSION_NOT_ENDED");
}

export function sessionNotFound(): NotFoundError {
  return new NotFoundError("Browser session not found.");
}
