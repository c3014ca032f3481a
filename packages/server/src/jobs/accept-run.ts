import { ConflictError } from "../api/errors.ts";
import { takeIdempotencyKey } from "./idempotency.ts";
import type { RunPlace, RunPlaces } from "./run-place.ts";
import { insertTrace } from "./run-rows.ts";
import type { Statements } from "../storage/database/database.ts";

/** A run that is to be accepted. */
interface AcceptedRun {
  readonly id: string;
  readonly teamId: string;
  readonly family: string;
  readonly idempotencyKey: string | undefined;
}

/**
 * Accepts a run: its key is used from then on. All of it is kept, or nothing.
 * @param write begins the run.
 * @throws ConflictError when the key was used.
 */
export async function acceptRun(
  { places, place }: { readonly places: RunPlaces; readonly place: RunPlace },
  { id, teamId, family, idempotencyKey: key }: AcceptedRun,
  write: (inside: Statements) => Promise<void>,
): Promise<void> {
  const nowMs = place.clock.now();
  const process = place.isLasting ? undefined : await places.processName();
  await places.lasting.database.transaction(async (inside) => {
    if (key !== undefined && !(await takeIdempotencyKey(inside, { teamId, key, nowMs })))
      throw new ConflictError("Idempotency key already used");
    if (!place.isLasting) await insertTrace(inside, { id, teamId, family, process }, nowMs);
    await place.within(inside, write);
  });
}
