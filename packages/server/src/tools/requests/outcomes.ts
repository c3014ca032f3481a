import { ServiceError } from "../../api/errors.ts";
import type { CallResult } from "./execute.ts";
import type { ToolRequestRow } from "./request-rows.ts";

/** Where a request stands: as it is written, but for `unresolved`: nobody runs a running one any more. */
type RequestState = "running" | "unresolved" | "completed" | "unpaid";

/** What to do about a request whose id is known. */
type RequestOutcome = "in-flight" | "unresolved" | "restart" | "replay" | "give-up" | "duplicate" | "unpaid";

/** Of a request that is the same, and of one that asks for something else (interface document, section 3). */
const outcomes: Readonly<
  Record<RequestState, { readonly same: RequestOutcome; readonly other: RequestOutcome }>
> = {
  running: { same: "in-flight", other: "in-flight" },
  unresolved: { same: "unresolved", other: "unresolved" },
  completed: { same: "replay", other: "duplicate" },
  unpaid: { same: "unpaid", other: "duplicate" },
};

/** What is known of a running request so long after its deadline is all that will be. */
const PATIENCE_MS = 30_000;
/** Older requests are not resolved any more. */
const GIVE_UP_MS = 24 * 60 * 60 * 1000;

export function requestStateOf(
  row: Pick<ToolRequestRow, "state" | "deadlineAtMs" | "owner">,
  nowMs: number,
): RequestState {
  const isOver = row.owner === "" || nowMs > row.deadlineAtMs + PATIENCE_MS;
  return row.state === "running" && isOver ? "unresolved" : row.state;
}

export function outcomeOf(row: ToolRequestRow, fingerprint: string, nowMs: number): RequestOutcome {
  const isSame = row.fingerprint === fingerprint;
  const outcome = outcomes[requestStateOf(row, nowMs)][isSame ? "same" : "other"];
  // Calls that only read do no harm when they are made again.
  if (outcome !== "unresolved" || !isSame) return outcome;
  if (row.isReadOnly === 1) return "restart";
  return nowMs > row.createdAtMs + GIVE_UP_MS ? "give-up" : outcome;
}

/** The error instead of a result. */
type Refusal = Exclude<RequestOutcome, "replay" | "restart" | "give-up">;

/** The client's error instead of a result. */
export function refusalOfRequest(outcome: Refusal, chargeId: string): ServiceError {
  return refusals[outcome](chargeId);
}

/** Of a request whose calls failed, some of them perhaps after they were made. */
export function unresolved(chargeId: string, results?: readonly CallResult[]): ServiceError {
  const details = results && { details: { alexandria: results } };
  return new ServiceError("request_unresolved", { chargeId, retryAfterSeconds: 30, ...details });
}

const refusals: Readonly<Record<Refusal, (chargeId: string) => ServiceError>> = {
  "in-flight": (chargeId) => new ServiceError("request_in_flight", { chargeId, retryAfterSeconds: 1 }),
  unresolved,
  duplicate: () => new ServiceError("duplicate_request"),
  unpaid: (chargeId) => new ServiceError("insufficient_credits", { chargeId }),
};
