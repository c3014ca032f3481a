/** Two transactions wanted the same rows, or waited for each other: run again, both are kept. */
const CONFLICTS: ReadonlySet<string> = new Set(["40001", "40P01"]);
/** The server ends, starts, or has no connection left. */
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
  // It has become a standby of another one.
  "25006",
  // What PgBouncer says of each failure of the server behind it.
  "08P01",
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
]);
/** The client names no code for connections that end under a statement, or that do not come about. */
const LOST =
  /^(?:Connection terminated|Client has encountered a connection error|timeout e(?:xceeded|xpired))/;
/** What the client says when a query takes longer than its limit: servers end those that last, so none is there. */
const NO_ANSWER = "Query read timeout";
/** Another program has changed a table while this connection remembered how to read it. */
const FORGOTTEN_PLAN = "cached plan must not change result type";

/** How deep failures are wrapped in others at most: they might name each other. */
const MAX_CAUSES = 8;

/** Whether the transaction that failed can simply be run again. */
export function isConflict(failure: unknown): boolean {
  return isOf(failure, ({ code }) => CONFLICTS.has(code));
}

/** Whether the connection is of no use any more. */
export function isConnectionLost(failure: unknown): boolean {
  return isOf(
    failure,
    ({ code, message }) =>
      UNREACHABLE.has(code) || LOST.test(message) || message === FORGOTTEN_PLAN || message === NO_ANSWER,
  );
}

/** Whether nobody is at the other end any more, as after a power cut: all connections are alike then. */
export function hasNoAnswer(failure: unknown): boolean {
  return isOf(failure, ({ message }) => message === NO_ANSWER);
}

interface Reason {
  /** Empty where there is none. */
  readonly code: string;
  readonly message: string;
}

/** Whether it, or what it was caused by, is such a failure: those who use a transaction may say it in their own words. */
function isOf(failure: unknown, isSuch: (reason: Reason) => boolean): boolean {
  let reason = failure;
  for (let depth = 0; depth < MAX_CAUSES && reason instanceof Error; depth += 1) {
    const code = "code" in reason && typeof reason.code === "string" ? reason.code : "";
    if (isSuch({ code, message: reason.message })) return true;
    reason = reason.cause;
  }
  return false;
}
