import { randomUUID } from "node:crypto";

import type { Caller } from "../accounts/callers.ts";
import type { AgentBench } from "../cli/program.ts";
import type { AgentServices } from "../agent/agent-services.ts";
import { findAgent } from "../agent/find-agent.ts";
import { followAgent } from "../agent/follow-agent.ts";
import { startAgent } from "../agent/start-agent.ts";

/** Agents of the command line: only such processes work on them. */
export function openAgentsOver(agent: AgentServices, caller: Caller): Omit<AgentBench, "close"> {
  const { places } = agent;
  const { teamId } = caller;
  return {
    async start(body) {
      const call = { caller, linkBase: "", body, idempotencyKey: () => undefined };
      return startAgent(call, { ...agent, lane: `command ${randomUUID()}` });
    },
    async *follow(id, signal) {
      const { run } = await findAgent(places, { id, teamId });
      const worker = places.lasting.dispatcher.work(run.lane);
      try {
        yield* followAgent({ id, teamId, signal }, agent);
      } finally {
        await worker.stop();
      }
    },
    async cancel(id) {
      const { database, dispatcher } = places.lasting;
      await database.transaction((inside) => dispatcher.cancel(inside, id));
    },
  };
}
