import type { Caller } from "../accounts/callers.ts";

/** What teams pay for. */
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

/** Single requests go before pages of jobs, of which there can be very many. */
export type WorkClass = "single" | "job";

/** One piece of work that a team pays for. */
export interface PaidWork {
  readonly id: string;
  readonly kind: WorkKind;
  readonly caller: Caller;
  readonly startedAtMs: number;
}

/** What the history knows of work of any kind. */
export interface WorkRecord {
  readonly id: string;
  /** Default: `scrape`. */
  readonly kind?: WorkKind | undefined;
  /** The work that it is a part of. */
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
