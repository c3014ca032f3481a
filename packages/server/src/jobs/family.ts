import type { Again } from "./queue/jobs.ts";
import type { Statements } from "../storage/database/database.ts";
import type { JobRun } from "./run-rows.ts";

/** The next thing to do for a run, as its family wants it back. */
export interface NextStep {
  /** JSON of at most 32 KB. */
  readonly payload: string;
  /** Default: as soon as possible. */
  readonly runAtMs?: number;
}

/** A page that a run has yet to make. */
export interface PageToDo {
  readonly url: string;
  /** Whether a step has it. */
  readonly isUnderWay: boolean;
  /** Names its place among them, for the next page of the list. */
  readonly cursor: string;
}

/** @property after the cursor of the last page of the list before. */
export interface ListPart {
  readonly after: string | undefined;
  readonly count: number;
}

/** A step under way. */
export interface Step {
  readonly runId: string;
  readonly payload: string;
  /** 1 for the first. */
  readonly attempt: number;
  /**
   * Ends the step in a transaction of the caller: the one of its charge, where there is one (`AlsoWrite`).
   * @returns the run as it is then, or undefined when the step is too late: its run has ended or was cancelled, or
   * another process has the step. Write and charge nothing then.
   */
  end(inside: Statements): Promise<JobRun | undefined>;
}

/**
 * A kind of run. It keeps what it has yet to do in tables of its own; the dispatcher asks it for the next steps, never
 * more of a team than may run at once, and has them made by the engine, again where a process dies.
 *
 * A step ends in one transaction: `step.end`, then what it brought (`Dispatcher.addDocument`, `addError`, `admit`, the
 * family's own rows), then `Dispatcher.proceed`, which hands out the next steps, or completes the run.
 */
export interface Family {
  /** As webhooks name it: `crawl`, `batch_scrape`. */
  readonly name: string;
  /** As people read it: `Crawl`. */
  readonly title: string;
  /**
   * Takes up to `count` next steps, in order, and notes in the same transaction that they are taken. Fewer than `count`:
   * there are no more until `admit` is called.
   */
  take(inside: Statements, run: JobRun, count: number): Promise<readonly NextStep[]>;
  /**
   * Makes a step. It has to end it, unless it is to be done again; when it rejects it is tried again, at most three times.
   * @param signal aborts when the run was cancelled or has ended, and when this process stops.
   */
  make(step: Step, signal: AbortSignal): Promise<Again | undefined>;
  /** Ends a step that failed thrice. When it rejects it is called again. */
  giveUp(step: Step, reason: string): Promise<void>;
  /** Pages that are found and not made, in order: at most `count`. Without it, none are shown. */
  pagesToDo?(statements: Statements, run: JobRun, part: ListPart): Promise<readonly PageToDo[]>;
  /** Whether a run that has nothing under way waits for something that will call `admit` and `proceed`. */
  isWaiting?(inside: Statements, run: JobRun): Promise<boolean>;
  /** True: its webhooks are events of its own. The start, pages and end of its runs tell nothing. */
  readonly tellsItself?: boolean;
  /** Called in the transaction that ends a run, for every kind of end. */
  ended?(inside: Statements, run: JobRun): Promise<void>;
  /** What webhooks receive with the end of a run, as JSON. Without it, nothing but that. */
  told?(inside: Statements, run: JobRun): Promise<string | undefined>;
}
