import { ServiceError } from "../../api/errors.ts";
import type { CallResult } from "./execute.ts";
import type { ToolRequestRow } from "./request-rows.ts";

/**
 * The stored state of a request, or `unresolved` when it is stored as running but no process runs it any
 * more.
 */
type RequestState = "running" | "unresolved" | "completed" | "unpaid";

/** How to treat a request whose id was used before. */
type RequestOutcome = "in-flight" | "unresolved" | "restart" | "replay" | "give-up" | "duplicate" | "unpaid";

/**
 * Outcomes for a repetition of the same request, and for a different request with its id (interface document,
 * section 3).
 */
const outcomes: Readonly<
  Record<RequestState, { readonly same: RequestOutcome; readonly other: RequestOutcome }>
> = {
  running: { same: "in-flight", other: "in-flight" },
  unresolved: { same: "unresolved", other: "unresolved" },
  completed: { same: "replay", other: "duplicate" },
  unpaid: { same: "unpaid", other: "duplicate" },
};

/** A request that still counts as running this long after its deadline will not end by itself. */
const PATIENCE_MS = 30_000;
/** After this time an unresolved request is given up. */
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
  // Calls that only read may safely be made again.
  if (outcome !== "unresolved" || !isSame) return outcome;
  if (row.isReadOnly === 1) return "restart";
  return nowMs > row.createdAtMs + GIVE_UP_MS ? "give-up" : outcome;
}

/** Outcomes that refuse the request. */
type Refusal = Exclude<RequestOutcome, "replay" | "restart" | "give-up">;

export function refusalOfRequest(outcome: Refusal, chargeId: string): ServiceError {
  return refusals[outcome](chargeId);
}

/** The error of a request whose calls failed, some of them perhaps after they were made. */
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
