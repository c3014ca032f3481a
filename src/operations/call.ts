import type { IncomingHttpHeaders } from "node:http";

import type { Caller } from "../accounts/callers.ts";
import type { OperatorSession } from "../accounts/operator-sessions.ts";
import type { Log } from "../kit/log/log.ts";

/** What a request asks an operation for, after its parts were checked against their schemas. */
export interface Call<Parts extends CallParts = CallParts> {
  /** Of the request: the log and unexpected errors name it. */
  readonly id: string;
  readonly params: Parts["params"];
  readonly query: Parts["query"];
  readonly body: Parts["body"];
  readonly method: string;
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** Of the client, or of the last proxy that is not trusted. */
  readonly ip: string;
  /** What the client calls the service, without a path. */
  readonly origin: string;
  /** What the operator says that the service is called. */
  readonly publicUrl: string | undefined;
  /** What links to this service begin with. Answers that hold what the client said itself are not cached by others. */
  readonly linkBase: string;
  /** Aborts with SCRAPE_JOB_CANCELLED when the client goes away before it has its answer. */
  readonly signal: AbortSignal;
  /** @throws ServiceError BAD_REQUEST for one that is not a UUID. */
  readonly idempotencyKey: string | undefined;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  /** Adds a header to the answer, whatever it is going to be. */
  setHeader(name: string, value: string): void;
  /** Adds facts to the log line of the request; never a secret. */
  note(facts: Readonly<Record<string, unknown>>): void;
  /** Keeps unexpected failures out of the log, which may quote the request. */
  keepPrivate(): void;
}

export interface CallParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** A call by a team. */
export interface TeamCall<Parts extends CallParts = CallParts> extends Call<Parts> {
  readonly caller: Caller;
}

/** A call by the operator. */
export interface OperatorCall<Parts extends CallParts = CallParts> extends Call<Parts> {
  /** The login that the request came with; undefined when it came with the operator's key. */
  readonly operatorSession: OperatorSession | undefined;
}
