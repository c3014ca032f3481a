import { randomUUID } from "node:crypto";

import type { Caller } from "../accounts/callers.ts";
import type { AgentBench } from "../cli/program.ts";
import { agent } from "./agent.ts";
import { findAgent } from "./find-agent.ts";
import { followAgent } from "./follow-agent.ts";
import type { JobService } from "../jobs/job-service.ts";

/** Runs agents of the command line, which only this process works on. */
export function openAgentsOver(jobs: JobService, caller: Caller): Omit<AgentBench, "close"> {
  const { stores } = jobs;
  const { teamId } = caller;
  return {
    async start(body) {
      const { signal } = new AbortController();
      const call = { caller, linkBase: "", body, signal, workerGroup: `command ${randomUUID()}` };
      const { id, accepted } = await jobs.start(agent, call);
      return { id, threadId: accepted.threadId };
    },
    async *follow(id, signal) {
      const { job, store } = await findAgent(stores, { id, teamId });
      const worker = store.dispatcher.work(job.workerGroup);
      try {
        yield* followAgent({ id, teamId, signal }, agent.at(jobs));
      } finally {
        await worker.stop();
      }
    },
    async cancel(id) {
      const { database, dispatcher } = (await findAgent(stores, { id, teamId })).store;
      await database.transaction((tx) => dispatcher.cancel(tx, id));
    },
  };
}
