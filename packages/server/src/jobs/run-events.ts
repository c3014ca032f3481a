import type { Statements } from "../storage/database/database.ts";
import type { NewDocument } from "./documents.ts";
import type { NewError } from "./errors.ts";
import type { JobRun, NewRun } from "./run-rows.ts";

/** @property webhook undefined: keeps the previous webhook, if there was one. */
export type StartedRun = Pick<NewRun, "id" | "teamId" | "family" | "webhook">;

/** An event that only one family sends. */
export interface OwnEvent {
  /** Second word of the event's type: `action`. */
  readonly word: string;
  /** JSON. */
  readonly body: string;
}

export interface RunEnd {
  /** Reason why it did not succeed, for clients. */
  readonly error: string | undefined;
  /** Result of the whole run, as JSON. */
  readonly result: string | undefined;
}

/** Receives the events of runs. Webhook events are written in the transaction of their change. */
export interface RunEvents {
  /** Also called when more is appended to a run. */
  started(tx: Statements, run: StartedRun): Promise<void>;
  pageMade(tx: Statements, run: JobRun, document: NewDocument): Promise<void>;
  pageFailed(tx: Statements, run: JobRun, error: NewError): Promise<void>;
  /** An event of the family's own, during a run. */
  happened(tx: Statements, run: JobRun, event: OwnEvent): Promise<void>;
  ended(tx: Statements, run: JobRun, end: RunEnd): Promise<void>;
  /** The run changes when the open transaction commits. */
  changed(runId: string): void;
}

const nothing = async () => undefined;

/** For runs that report nothing. */
export const noEvents: RunEvents = {
  started: nothing,
  pageMade: nothing,
  pageFailed: nothing,
  happened: nothing,
  ended: nothing,
  changed: () => undefined,
};
