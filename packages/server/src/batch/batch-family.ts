import { LRUCache } from "lru-cache";

import type { Family, ListPart, NextStep, Step } from "../jobs/family.ts";
import { giveUpPage, makePage, type PageServices } from "../jobs/make-page.ts";
import type { RunPage } from "../jobs/page-rows.ts";
import type { RunPlace } from "../jobs/run-place.ts";
import { getRun, type JobRun } from "../jobs/run-rows.ts";
import type { Statements } from "../storage/database/database.ts";
import type { Again } from "../jobs/queue/jobs.ts";
import { planForAll, type PlannedOptions } from "../scrape/request/planned-options.ts";
import type { BatchOptions } from "./batch-options.ts";
import type { BatchPages, PageKey } from "./batch-pages.ts";
import { BATCH } from "./batch-request.ts";

export interface BatchFamilyParts {
  readonly place: RunPlace;
  readonly pages: BatchPages;
  readonly options: BatchOptions;
  readonly services: PageServices;
}

/** Parts whose options are remembered as planned. */
const PLANNED_PARTS = 200;

/** Batches: named pages, each a scrape of its own. */
export class BatchFamily implements Family {
  readonly name = BATCH;
  readonly title = "Batch scrape";
  readonly #parts: BatchFamilyParts;
  readonly #planned = new LRUCache<string, PlannedOptions>({ max: PLANNED_PARTS });

  constructor(parts: BatchFamilyParts) {
    this.#parts = parts;
  }

  async take(inside: Statements, { id }: JobRun, count: number): Promise<readonly NextStep[]> {
    const keys = await this.#parts.pages.take(inside, id, count);
    return keys.map(({ partId, number }) => ({ payload: `${partId} ${number}` }));
  }

  async make(step: Step, signal: AbortSignal): Promise<Again | undefined> {
    const page = await this.#pageOf(step, signal);
    return page && makePage(page, this.#parts.services);
  }

  async giveUp(step: Step, reason: string): Promise<void> {
    const page = await this.#pageOf(step, new AbortController().signal);
    if (page) await giveUpPage(page, reason);
  }

  pagesToDo(statements: Statements, { id }: JobRun, part: ListPart) {
    return this.#parts.pages.list(statements, id, part);
  }

  /** Undefined when the batch was deleted: then its step is nothing, too. */
  async #pageOf(step: Step, signal: AbortSignal): Promise<RunPage | undefined> {
    const { place, pages, options } = this.#parts;
    const key = keyOf(step.payload);
    const run = await getRun(place.database, step.runId);
    const found = await pages.get(key);
    if (!run || !found) return undefined;
    return {
      step,
      place,
      run,
      url: options.openUrl(key.partId, found.url),
      kind: "batch",
      options: this.#optionsOf(key.partId, found.options),
      signal,
      write: (inside) => pages.remove(inside, key),
    };
  }

  #optionsOf(partId: string, sealed: string): PlannedOptions {
    const known = this.#planned.get(partId);
    if (known) return known;
    const { options, body } = this.#parts.options.open(partId, sealed);
    const planned = planForAll(options, body);
    this.#planned.set(partId, planned);
    return planned;
  }
}

function keyOf(payload: string): PageKey {
  const [partId = "", number = ""] = payload.split(" ");
  return { partId, number: Number(number) };
}
