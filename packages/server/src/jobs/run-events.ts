import type { Statements } from "../storage/database/database.ts";
import type { NewDocument } from "./documents.ts";
import type { NewError } from "./errors.ts";
import type { JobRun, NewRun } from "./run-rows.ts";

/** @property webhook undefined: as before, if there was one. */
export type StartedRun = Pick<NewRun, "id" | "teamId" | "family" | "webhook">;

/** An event of a family's own. */
export interface OwnEvent {
  /** The second word of its type: `action`. */
  readonly word: string;
  /** JSON. */
  readonly body: string;
}

/** What is reported of the end of a run. */
export interface RunEnd {
  /** Why it was no success, in words for clients. */
  readonly error: string | undefined;
  /** What it brought as a whole, as JSON. */
  readonly result: string | undefined;
}

/** Listeners to the events of runs. News for the outside are written in the transaction in which they happen. */
export interface RunEvents {
  /** Also when more is appended to a run. */
  started(tx: Statements, run: StartedRun): Promise<void>;
  pageMade(tx: Statements, run: JobRun, document: NewDocument): Promise<void>;
  pageFailed(tx: Statements, run: JobRun, error: NewError): Promise<void>;
  /** Something else that a family tells of a run under way. */
  happened(tx: Statements, run: JobRun, event: OwnEvent): Promise<void>;
  ended(tx: Statements, run: JobRun, end: RunEnd): Promise<void>;
  /** Something of the run will be different once the transaction under way is kept. */
  changed(runId: string): void;
}

/** Called for a run that has ended, as it is then. */
export type RunEnded = (tx: Statements, run: JobRun) => Promise<void>;

const nothing = async () => undefined;

/** For runs without events. */
export const noEvents: RunEvents = {
  started: nothing,
  pageMade: nothing,
  pageFailed: nothing,
  happened: nothing,
  ended: nothing,
  changed: () => undefined,
};
