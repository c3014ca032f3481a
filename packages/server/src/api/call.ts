import type { IncomingHttpHeaders } from "node:http";

import type { Caller } from "../accounts/callers.ts";
import type { OperatorSession } from "../accounts/operator-sessions.ts";
import type { Operator } from "../accounts/operators.ts";
import type { Log } from "@pergamon-dev/kit/log/log";

/** A request to an operation, with its parts validated against their schemas. */
export interface Call<Parts extends CallParts = CallParts> {
  /** Id of the request, used in the log and in unexpected errors. */
  readonly id: string;
  readonly params: Parts["params"];
  readonly query: Parts["query"];
  readonly body: Parts["body"];
  readonly method: string;
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** Address of the client, or of the last untrusted proxy. */
  readonly ip: string;
  /** Base URL by which the client addresses the service, without a path. */
  readonly origin: string;
  /** Base URL that the operator configured. */
  readonly publicUrl: string | undefined;
  /**
   * Prefix of links to this service. Responses that contain data from the client's headers are not publicly
   * cacheable.
   */
  readonly linkBase: string;
  /** Aborts with SCRAPE_JOB_CANCELLED when the client disconnects before it gets the response. */
  readonly signal: AbortSignal;
  /** @throws ServiceError BAD_REQUEST for one that is not a UUID. */
  readonly idempotencyKey: string | undefined;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  /** Adds a header to the response, whether it succeeds or fails. */
  setHeader(name: string, value: string): void;
  /** Adds fields to the log line of the request. Never pass secrets. */
  note(facts: Readonly<Record<string, unknown>>): void;
  /** Keeps unexpected failures out of the log, because they can quote the request. */
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
  /** When the request arrived. Waiting for the database counts in its timeout. */
  readonly startedAtMs: number;
}

/** A call by the operator. */
export interface OperatorCall<Parts extends CallParts = CallParts> extends Call<Parts> {
  /** The login of the request; undefined for requests with the operator's key. */
  readonly operatorSession: OperatorSession | undefined;
  readonly operator: Operator;
}
