import { randomUUID } from "node:crypto";

import type { Caller } from "../accounts/callers.ts";
import { NotFoundError } from "../api/errors.ts";
import type { Runner } from "../cli/program.ts";
import { batch } from "../batch/batch.ts";
import { crawl } from "../crawl/crawl.ts";
import { followRun } from "../jobs/follow-run.ts";
import { SERVICE_LANE } from "../jobs/run-rows.ts";
import type { PlacedRun } from "../jobs/run-place.ts";
import type { Families } from "./families.ts";

/** Opens runs of the command line. Only command line processes work on them. */
export function openRunnerOver(
  { jobs }: Pick<Families, "jobs">,
  caller: Caller,
): Omit<Runner, "openFile" | "close"> {
  const { places, records } = jobs;
  const ownLane = () => `command ${randomUUID()}`;

  async function findOwn(id: string): Promise<PlacedRun> {
    const found = await places.find(id.toLowerCase());
    if (!found || found.run.teamId !== caller.teamId) throw new NotFoundError(`There is no job ${id}.`);
    if (found.run.lane !== SERVICE_LANE || !found.place.isLasting) return found;
    throw new Error(`The job ${id} belongs to the service, which works on it itself.`);
  }

  return {
    async startBatch(body) {
      const { signal } = new AbortController();
      const call = { caller, linkBase: "", body, signal, lane: ownLane() };
      const { id, accepted } = await jobs.start(batch, call);
      return { id, invalidUrls: accepted.invalidUrls };
    },
    async startCrawl(body) {
      const { signal } = new AbortController();
      return jobs.start(crawl, { caller, linkBase: "", body, signal, lane: ownLane() });
    },
    async *follow(id, signal) {
      const found = await findOwn(id);
      const { run, place } = found;
      const worker = place.isLasting ? place.dispatcher.work(run.lane) : undefined;
      try {
        yield* followRun({ ...found, caller, records, signal });
      } finally {
        await worker?.stop();
      }
    },
    async cancel(id) {
      const { run, place } = await findOwn(id);
      if (run.state !== "scraping") throw new Error(`The job ${id} is ${run.state} already.`);
      await place.database.transaction((tx) => place.dispatcher.cancel(tx, run.id));
    },
  };
}
