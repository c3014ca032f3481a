import type { JobHandler, ListPart, NextTask, PendingPage, Task } from "../jobs/job-handler.ts";
import { giveUpPage, makePage, type PageServices } from "../jobs/make-page.ts";
import { failPage, type PageTask } from "../jobs/page-rows.ts";
import type { RunPlace } from "../jobs/run-place.ts";
import { getRun, type JobRun } from "../jobs/run-rows.ts";
import type { DocumentSource } from "../jobs/run-status.ts";
import type { Statements } from "../storage/database/database.ts";
import type { Again } from "../jobs/queue/jobs.ts";
import type { PageList } from "../jobs/page-list.ts";
import type { ExtractPlans } from "./extract-plans.ts";
import { EXTRACT } from "./extract-request.ts";
import { beginFind, beginMerge, getExtract } from "./extract-rows.ts";
import { type ExtractStep, timeLeftMs } from "./extract-step.ts";
import { endFind, findPages, type FindServices } from "./find-pages-step.ts";
import { mergePages, resultIn } from "./merge-step.ts";

export interface ExtractFamilyParts {
  readonly place: RunPlace;
  readonly pages: PageList;
  readonly plans: ExtractPlans;
  readonly services: PageServices;
  readonly find: FindServices;
  readonly records: DocumentSource;
}

/** The payload of the last step; those of pages are their keys. */
const MERGE = "merge";
/** Begins payloads of looks for pages, before their number. */
const FIND = "find ";
const NOTHING_FOUND = { urls: [], creditsUsed: 0 } as const;
const LATE = {
  code: "SCRAPE_TIMEOUT",
  message: "The timeout of the extraction was over before the page was read.",
};

/** Extractions: pages are found and read, and what they say is joined. */
export class ExtractFamily implements JobHandler {
  readonly name = EXTRACT;
  readonly title = "Extract";
  readonly #parts: ExtractFamilyParts;

  constructor(parts: ExtractFamilyParts) {
    this.#parts = parts;
  }

  async next(inside: Statements, run: JobRun, count: number): Promise<readonly NextTask[]> {
    const pages = await this.#parts.pages.next(inside, run.id, count);
    if (pages.length > 0) return pages;
    const extract = await getExtract(inside, run.id);
    if (extract?.stage !== "pages") return [];
    if (extract.nextFind < extract.finds) {
      await beginFind(inside, run.id);
      return [{ payload: `${FIND}${extract.nextFind}` }];
    }
    if (run.handed > 0) return [];
    await beginMerge(inside, run.id);
    return [{ payload: MERGE }];
  }

  async run(step: Task): Promise<Again | undefined> {
    const extracting = await this.#open(step, step.signal);
    if (!extracting) return undefined;
    if (step.payload === MERGE) await mergePages(extracting, this.#parts.records);
    else if (step.payload.startsWith(FIND)) await this.#find(extracting);
    else return this.#makePage(extracting);
    return undefined;
  }

  async fail(step: Task, reason: string): Promise<void> {
    const { place, pages } = this.#parts;
    const extracting = await this.#open(step, new AbortController().signal);
    if (!extracting) return;
    if (step.payload === MERGE) {
      await place.database.transaction(async (inside) => {
        const message = `What the pages say could not be joined: ${reason}`;
        if (await step.end(inside)) await place.dispatcher.fail(inside, step.job.id, message);
      });
    } else if (step.payload.startsWith(FIND)) {
      const warning = `Pages could not be looked for in three attempts. The last one: ${reason}`;
      await endFind(extracting, { ...NOTHING_FOUND, warning }, pages);
    } else {
      const page = await this.#pageOf(extracting);
      if (page) await giveUpPage(page, reason);
    }
  }

  pending(statements: Statements, { id }: JobRun, part: ListPart): Promise<readonly PendingPage[]> {
    return this.#parts.pages.pending(statements, id, part);
  }

  /** Receivers of webhooks get the result. */
  async result(inside: Statements, run: JobRun): Promise<string | undefined> {
    const { id: extractId, state, completed: totalUrlsScraped } = run;
    if (state !== "completed") return undefined;
    const extract = await getExtract(inside, extractId);
    const { data, sources } = (extract && resultIn(extract)) ?? {};
    const shown = this.#parts.plans.of(run).options.showSources && { sources };
    return JSON.stringify({ success: true, data, extractId, totalUrlsScraped, ...shown });
  }

  async #open(step: Task, signal: AbortSignal): Promise<ExtractStep | undefined> {
    const { place, plans } = this.#parts;
    const run = await getRun(place.database, step.job.id);
    if (!run || run.isPurged) return undefined;
    const opened = { step, place, run, plan: plans.of(run), stop: signal };
    const leftMs = timeLeftMs(opened);
    if (!Number.isFinite(leftMs)) return { ...opened, signal };
    const isOver = AbortSignal.timeout(Math.max(1, leftMs));
    return { ...opened, signal: AbortSignal.any([signal, isOver]) };
  }

  async #find(extracting: ExtractStep): Promise<void> {
    const { step, run } = extracting;
    const { services, find, pages } = this.#parts;
    const caller = await services.callers.ofWork(run);
    const number = Number(step.payload.slice(FIND.length));
    const isWanted = caller && timeLeftMs(extracting) > 0;
    const found = isWanted ? await findPages(extracting, { number, caller }, find) : NOTHING_FOUND;
    await endFind(extracting, found, pages);
  }

  async #makePage(extracting: ExtractStep): Promise<Again | undefined> {
    const page = await this.#pageOf(extracting);
    if (!page) return undefined;
    if (timeLeftMs(extracting) > 0) return makePage(page, this.#parts.services);
    await failPage(page, LATE);
    return undefined;
  }

  /** Undefined when it was deleted with its run. */
  async #pageOf({ step, place, run, plan, signal }: ExtractStep): Promise<PageTask | undefined> {
    const { pages } = this.#parts;
    const listed = await pages.get(step.payload);
    if (!listed) return undefined;
    return {
      task: { ...step, signal },
      place,
      url: listed.url,
      kind: "extract",
      options: plan.pages,
      async write(inside) {
        await pages.remove(inside, step.payload);
        // After the last page what they say is joined.
        await place.dispatcher.admit(inside, run.id, 0);
      },
    };
  }
}
