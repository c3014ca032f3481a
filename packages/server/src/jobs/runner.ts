import { randomUUID } from "node:crypto";

import type { Caller } from "../accounts/callers.ts";
import { NotFoundError } from "../api/errors.ts";
import type { Runner } from "../cli/program.ts";
import { readErrors } from "./errors.ts";
import { followJob } from "./follow-job.ts";
import { SERVICE_GROUP } from "./job-rows.ts";
import type { JobService } from "./job-service.ts";
import type { StoredJob } from "./job-store.ts";

/** Opens jobs of the command line. Only command line processes work on them. */
export function openRunnerOver(jobs: JobService, caller: Caller): Omit<Runner, "openFile" | "close"> {
  const { stores, records } = jobs;

  async function find(id: string): Promise<StoredJob> {
    const found = await stores.find(id.toLowerCase());
    if (!found || found.job.teamId !== caller.teamId || found.job.isPurged)
      throw new NotFoundError(`There is no job ${id}, or its documents are not kept any more.`);
    return found;
  }

  async function findOwn(id: string): Promise<StoredJob> {
    const found = await find(id);
    if (found.job.workerGroup !== SERVICE_GROUP || !found.store.isPersistent) return found;
    throw new Error(`The job ${id} belongs to the service, which works on it itself.`);
  }

  return {
    start(kind, body) {
      const { signal } = new AbortController();
      const workerGroup = `command ${randomUUID()}`;
      return jobs.start(kind, { caller, linkBase: "", body, signal, workerGroup });
    },
    async *follow(id, signal) {
      const found = await findOwn(id);
      const { job, store } = found;
      const worker = store.isPersistent ? store.dispatcher.work(job.workerGroup) : undefined;
      try {
        yield* followJob({ ...found, caller, records, signal });
      } finally {
        await worker?.stop();
      }
    },
    async export(id, order, signal) {
      const [{ exportOf }, { eachDocument }] = await Promise.all([
        import("./job-exports.ts"),
        import("./download-documents.ts"),
      ]);
      return exportOf(eachDocument(await find(id), records), order, jobs.scraping, signal);
    },
    async errors(id, skip) {
      const { job, store } = await findOwn(id);
      return readErrors(store.database, job.id, { skip });
    },
    async cancel(id) {
      const { job, store } = await findOwn(id);
      if (job.state !== "scraping") throw new Error(`The job ${id} is ${job.state} already.`);
      await store.database.transaction((tx) => store.dispatcher.cancel(tx, job.id));
    },
  };
}
