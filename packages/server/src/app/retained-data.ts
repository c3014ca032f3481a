import type { Context } from "../config/context.ts";
import { KeptJobs } from "../jobs/kept-jobs.ts";
import { KeptMonitors } from "../monitor/kept-monitors.ts";
import { PageStates } from "../monitor/page-states.ts";
import { systemClock } from "../storage/clock/clock.ts";
import type { Storage } from "../storage/open.ts";
import { tablesOf } from "../jobs/open.ts";

/** Registers the data of jobs for pruning and erasure. */
export function retainJobs(context: Context & Storage): void {
  const { config, database, teamData } = context;
  teamData.add(new KeptMonitors(database, systemClock, new PageStates({ ...context, clock: systemClock })));
  teamData.add(
    new KeptJobs({
      database,
      clock: systemClock,
      tables: tablesOf(context.kinds),
      get retentionMs() {
        return config.jobs.retentionMs;
      },
    }),
  );
}
