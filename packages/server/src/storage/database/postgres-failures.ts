/** Two transactions wanted the same rows, or waited for each other. Running both again succeeds. */
const CONFLICTS: ReadonlySet<string> = new Set(["40001", "40P01"]);
/** The server stops, starts, or has no connection left. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "08000",
  "08001",
  "08003",
  "08004",
  "08006",
  // The server has become a standby of another one.
  "25006",
  // PgBouncer answers with this code for each failure of the server behind it.
  "08P01",
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
]);
/** The client gives no code for connections that break during a statement, or that cannot be established. */
const LOST =
  /^(?:Connection terminated|Client has encountered a connection error|timeout e(?:xceeded|xpired))/;
/**
 * The client's message for a query over its time limit. Servers end long queries themselves, so no server is
 * there.
 */
export const NO_ANSWER = "Query read timeout";
/** Another program has altered a table since this connection cached its plan. */
const FORGOTTEN_PLAN = "cached plan must not change result type";

/** Maximum depth of nested causes, because causes can form a cycle. */
const MAX_CAUSES = 8;

/** True when the failed transaction can simply be run again. */
export function isConflict(failure: unknown): boolean {
  return isOf(failure, ({ code }) => CONFLICTS.has(code));
}

/** True when the connection cannot be used any more. */
export function isConnectionLost(failure: unknown): boolean {
  return isOf(
    failure,
    ({ code, message }) =>
      UNREACHABLE.has(code) || LOST.test(message) || message === FORGOTTEN_PLAN || message === NO_ANSWER,
  );
}

/** True when the peer no longer answers, as after a power cut. All other connections are then dead too. */
export function hasNoAnswer(failure: unknown): boolean {
  return isOf(failure, ({ message }) => message === NO_ANSWER);
}

interface Reason {
  /** Empty when the failure has no code. */
  readonly code: string;
  readonly message: string;
}

/** Checks the failure and its causes, because users of a transaction may wrap the failure in their own. */
function isOf(failure: unknown, isSuch: (reason: Reason) => boolean): boolean {
  let reason = failure;
  for (let depth = 0; depth < MAX_CAUSES && reason instanceof Error; depth += 1) {
    const code = "code" in reason && typeof reason.code === "string" ? reason.code : "";
    if (isSuch({ code, message: reason.message })) return true;
    reason = reason.cause;
  }
  return false;
}
