import { join } from "node:path";

import { openOperatorSessions } from "../accounts/operator-sessions.ts";
import type { ReadDocument } from "@pergamon-dev/documents/model/reader";
import { KeptAgents } from "../agent/kept-agents.ts";
import { KeptExtracts } from "../extract/kept-extracts.ts";
import { KeptMonitors } from "../monitor/kept-monitors.ts";
import { PageStates } from "../monitor/page-states.ts";
import { KeptJobs } from "../jobs/kept-jobs.ts";
import { systemClock } from "../storage/clock/clock.ts";
import { openSecrets } from "../storage/secrets/secrets.ts";
import { openProfiles } from "../profiles/profiles.ts";
import { openPageCache } from "../fetch/page-cache/page-cache.ts";
import { PartHealth } from "../operator/health/part-health.ts";
import { openFigures } from "../history/figures/figures.ts";
import { openFeedback } from "../history/feedback.ts";
import { openFiles } from "../files/files.ts";
import { IndexThread } from "../history/page-index/index-thread.ts";
import { PageIndex } from "../history/page-index/page-index.ts";
import { openReadings } from "../history/readings.ts";
import { Uploads } from "../parse/uploads.ts";
import type { TeamData } from "../storage/team-data.ts";
import { RequestRows } from "../tools/requests/request-rows.ts";
import { SessionRows } from "../interact/session-rows.ts";
import { openRecords } from "../history/records.ts";
import { openReplays } from "../history/replays.ts";
import { openModelTokens } from "../accounts/model-tokens.ts";
import { openPageVersions } from "../scrape/diff/page-versions.ts";
import { type AppContext, reporter } from "./context.ts";
import { jobTables } from "./job-kinds.ts";
import type { Stores } from "./stores.ts";

/** Everything that is kept for teams. */
export type RetainedData = Awaited<ReturnType<typeof openRetainedData>>;

/** A store that is added here is pruned and erased with the others. */
export async function openRetainedData(context: AppContext, stores: Stores) {
  const { config, log, resources } = context;
  const secrets = await openSecrets({ keys: config.stores.secretKeys, keyFile: config.stores.secretKeyFile });
  const onError = reporter(log, "Records could not be stored.");
  const records = resources.add(openRecords({ ...stores, onError }), (opened) => opened.close());
  const replays = resources.add(openReplays({ ...stores, secrets, onError }), (opened) => opened.close());
  const captures = openPageCache({
    ...stores,
    get maxBytes() {
      return config.stores.cacheMaxBytes;
    },
    scope: config.stores.cacheScope,
  });
  resources.add(captures, (opened) => opened.close());
  const { database } = stores;
  const counted = openCounts({ log, resources }, stores);
  const pageIndex = openPageIndex(context, stores, records);
  return {
    records,
    pageIndex,
    ...counted,
    replays,
    profiles: openProfiles({ ...stores, secrets, onError: reporter(log, "A profile lock failed.") }),
    files: openFiles({ ...stores, secrets }),
    captures,
    feedback: openFeedback(stores.database),
    readings: openReadings<ReadDocument>(stores),
    toolRequests: new RequestRows(stores.database, Date.now),
    operatorSessions: openOperatorSessions(stores.database),
    sessions: new SessionRows(stores.database),
    uploads: new Uploads({ ...stores, secrets, maxUnparsed: config.parsing.maxUnparsedUploads }),
    versions: openPageVersions(stores),
    extracts: new KeptExtracts(database),
    monitors: new KeptMonitors(database, systemClock, new PageStates({ ...stores, clock: systemClock })),
    jobs: new KeptJobs({
      database,
      clock: systemClock,
      tables: jobTables,
      get retentionMs() {
        return config.jobs.retentionMs;
      },
    }),
    agents: new KeptAgents(database),
    modelTokens: openModelTokens({
      database,
      get maxPerDay() {
        return config.languageModel.dailyTokens;
      },
      onError: reporter(log, "Token usage of language models could not be stored."),
    }),
  } satisfies Readonly<Record<string, TeamData>>;
}

function openPageIndex(
  { config, log, resources, lent }: AppContext,
  { database }: Stores,
  records: Pick<ReturnType<typeof openRecords>, "flush">,
): PageIndex {
  const thread = lent?.indexThread ?? resources.add(new IndexThread(), (opened) => opened.close());
  const index = new PageIndex({
    path: join(config.stores.dataDir, "search.db"),
    database,
    thread,
    flushRecords: () => records.flush(),
    onError: reporter(log, "A page could not be indexed."),
  });
  return resources.add(index, (opened) => opened.close());
}

/** What is added up while the service works. */
function openCounts({ log, resources }: Pick<AppContext, "log" | "resources">, { database }: Stores) {
  const figures = openFigures({ database, onError: reporter(log, "Figures could not be written.") });
  const health = new PartHealth({
    database,
    onError: reporter(log, "The health of parts could not be written."),
  });
  resources.add(figures, (opened) => opened.close());
  resources.add(health, (opened) => opened.close());
  return { figures, health };
}

/** Deletes what is too old or too much. */
export async function pruneAll(kept: Readonly<Record<string, TeamData>>): Promise<void> {
  for (const store of Object.values(kept)) await store.prune();
}

/** Erases what a team has stored, and the pages it had fetched, in every file. */
export async function eraseTeam(
  teamId: string,
  kept: Readonly<Record<string, TeamData>>,
  { database }: Pick<Stores, "database">,
): Promise<void> {
  for (const store of Object.values(kept)) await store.erase(teamId);
  await database.wipe?.();
}
