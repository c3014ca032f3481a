import type { Step } from "../../job-runs/family.ts";
import type { JobRun } from "../../job-runs/job-run.ts";
import type { RunPlace } from "../../job-runs/run-place.ts";
import type { Statements } from "../../platform/database/database.ts";
import type { PlannedOptions } from "../../scrape/request/planned-options.ts";
import type { Scraped } from "../../scrape/scrape.ts";
import type { WorkKind } from "../../work/work.ts";

/** Why a page is none. */
export interface PageFailure {
  readonly code?: string;
  readonly message: string;
}

/** A page of a run, and the step that makes it. */
export interface RunPage {
  readonly step: Step;
  readonly place: RunPlace;
  /** As it was when the step began. */
  readonly run: JobRun;
  /** As `targetUrl` spells it. */
  readonly url: string;
  readonly kind: WorkKind;
  readonly options: PlannedOptions;
  readonly signal: AbortSignal;
  /** How far apart visits to its host begin at least. Default: 0. */
  readonly gapMs?: number;
  /** Called with what the scrape brought, before the transaction that ends the page: for what may take its time. */
  prepare?(scraped: Scraped): Promise<void>;
  /**
   * Asked in the transaction that ends the page, when it can become a document. False: it is none; nothing is charged,
   * and it is not a failure either.
   */
  mayBecomeDocument?(inside: Statements, run: JobRun, scraped: Scraped): Promise<boolean>;
  /**
   * Rows of the family, in the transaction that ends the page.
   * @param scraped undefined when it became no document. @param failure why, where it failed.
   */
  write(inside: Statements, run: JobRun, scraped: Scraped | undefined, failure?: PageFailure): Promise<void>;
}
