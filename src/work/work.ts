import type { Caller } from "../accounts/callers.ts";

/** Types of work that teams pay for. */
export type WorkKind =
  | "scrape"
  | "tool"
  | "session"
  | "batch"
  | "crawl"
  | "map"
  | "search"
  | "parse"
  | "monitor"
  | "extract"
  | "agent";

/** Single requests have priority over pages of jobs, of which there can be very many. */
export type WorkClass = "single" | "job";

/** One piece of work that a team pays for. */
export interface PaidWork {
  readonly id: string;
  readonly kind: WorkKind;
  readonly caller: Caller;
  readonly startedAtMs: number;
}

/** The row of the history that all kinds of work have in common. */
export interface WorkRecord {
  readonly id: string;
  /** Default: `scrape`. Refused calls were no work, and are reported to the operator. */
  readonly kind?: WorkKind | "refused" | undefined;
  /** Id of the work that it is part of. */
  readonly parentId?: string | undefined;
  readonly teamId: string;
  readonly keyId?: string | undefined;
  readonly status: "completed" | "failed";
  readonly errorCode?: string | undefined;
  readonly creditsUsed: number;
  readonly durationMs: number;
  readonly createdAtMs: number;
  readonly origin?: string | undefined;
}

/** The same as the operator's log tells it. */
export interface LoggedWork extends WorkRecord {
  /** What was asked for; of work without a page what it was, such as `tool:` and names. */
  readonly url: string;
  /** Host of the URL, without port. Kept to search by, and not read back. */
  readonly host?: string | undefined;
  /** Names of the wanted formats. */
  readonly formats?: readonly string[] | undefined;
}
