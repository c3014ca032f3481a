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

/** Whether the transaction that failed can simply be run again. */
export function isConflict(failure: unknown): boolean {
  return CONFLICTS.has(codeOf(failure) ?? "");
}

/** Whether the connection is of no use any more. */
export function isConnectionLost(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  return (
    UNREACHABLE.has(codeOf(failure) ?? "") ||
    LOST.test(failure.message) ||
    failure.message === FORGOTTEN_PLAN ||
    hasNoAnswer(failure)
  );
}

/** Whether nobody is at the other end any more, as after a power cut: all connections are alike then. */
export function hasNoAnswer(failure: unknown): boolean {
  return failure instanceof Error && failure.message === NO_ANSWER;
}

function codeOf(failure: unknown): string | undefined {
  if (!(failure instanceof Error) || !("code" in failure)) return undefined;
  return typeof failure.code === "string" ? failure.code : undefined;
}
