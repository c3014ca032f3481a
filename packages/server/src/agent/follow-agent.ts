import { Changes } from "../jobs/follow-job.ts";
import { readSteps } from "./rows.ts";
import type { AgentServices } from "./services.ts";
import { statusOf } from "./status.ts";
import { findAgent } from "./find-agent.ts";

interface ToldStep {
  readonly number: number;
  readonly action: string;
  readonly reason: string | undefined;
  readonly summary: string;
}

/** Changes of a run since the last report. */
export interface AgentNews {
  readonly status: ReturnType<typeof statusOf>;
  /** Steps that were not reported before. */
  readonly steps: readonly ToldStep[];
}

interface FollowedAgent {
  readonly id: string;
  readonly teamId: string;
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal;
}

/**
 * Reports a run until it has ended, each step once. @throws NotFoundError when the run is deleted meanwhile.
 */
export async function* followAgent(
  { id, teamId, signal }: FollowedAgent,
  { stores, options }: Pick<AgentServices, "stores" | "options">,
): AsyncGenerator<AgentNews> {
  const { store } = await findAgent(stores, { id, teamId });
  const changes = new Changes(signal);
  const forget = store.watch(id, changes.note);
  let told = 0;
  try {
    while (!signal.aborted) {
      const changed = changes.next();
      const found = await findAgent(stores, { id, teamId });
      const steps = await readSteps(store.database, id);
      const fresh = steps.filter(({ number }) => number > told);
      told = steps.length;
      yield {
        status: statusOf(found, { options: options.open(found.job), steps, store }),
        steps: fresh.map(({ number, action, facts: { reason, summary } }) => ({
          number,
          action,
          reason,
          summary,
        })),
      };
      if (found.job.state !== "scraping") return;
      await changed;
    }
  } finally {
    forget();
    changes.end();
  }
}
