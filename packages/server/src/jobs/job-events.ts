import type { Statements } from "../storage/database/database.ts";
import type { NewDocument } from "./documents.ts";
import type { NewError } from "./errors.ts";
import type { Job, JobInsert } from "./job-rows.ts";

/** @property webhook undefined: keeps the previous webhook, if there was one. */
export type StartedJob = Pick<JobInsert, "id" | "teamId" | "family" | "webhook">;

/** An event that only one family sends. */
export interface OwnEvent {
  /** Second word of the event's type: `action`. */
  readonly word: string;
  /** JSON. */
  readonly body: string;
}

export interface JobEnd {
  /** Reason why it did not succeed, for clients. */
  readonly error: string | undefined;
  /** Result of the whole job, as JSON. */
  readonly result: string | undefined;
}

/** Receives the events of jobs. Webhook events are written in the transaction of their change. */
export interface JobEvents {
  /** Also called when more is appended to a job. */
  started(tx: Statements, run: StartedJob): Promise<void>;
  pageMade(tx: Statements, job: Job, document: NewDocument): Promise<void>;
  pageFailed(tx: Statements, job: Job, error: NewError): Promise<void>;
  /** An event of the family's own, during a job. */
  happened(tx: Statements, job: Job, event: OwnEvent): Promise<void>;
  ended(tx: Statements, job: Job, end: JobEnd): Promise<void>;
  /** The job changes when the open transaction commits. */
  changed(jobId: string): void;
}

const nothing = async () => undefined;

/** For jobs that report nothing. */
export const noEvents: JobEvents = {
  started: nothing,
  pageMade: nothing,
  pageFailed: nothing,
  happened: nothing,
  ended: nothing,
  changed: () => undefined,
};
