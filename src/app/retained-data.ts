import { openOperatorSessions, type OperatorSessions } from "../accounts/operator-sessions.ts";
import type { ReadDocument } from "../documents/model/reader.ts";
import { BatchPages } from "../families/batch/batch-pages.ts";
import { KeptCrawls } from "../families/crawl/kept-crawls.ts";
import { KeptRuns } from "../job-runs/kept-runs.ts";
import { systemClock } from "../platform/clock/clock.ts";
import { openSecrets } from "../platform/secrets/secrets.ts";
import { openProfiles, type Profiles } from "../profiles/profiles.ts";
import { openPageCache, type PageCache } from "../stores/captures/page-cache.ts";
import { type Figures, openFigures } from "../stores/figures/figures.ts";
import { type Feedback, openFeedback } from "../stores/feedback/feedback.ts";
import { type Files, openFiles } from "../stores/files/files.ts";
import { openReadings, type Readings } from "../stores/readings/readings.ts";
import { Uploads } from "../families/parse/uploads.ts";
import type { TeamData } from "../stores/team-data.ts";
import { RequestRows } from "../tools/requests/request-rows.ts";
import { SessionRows } from "../interact/session-rows.ts";
import { openRecords, type Records } from "../stores/scrapes/records.ts";
import { openReplays, type Replays } from "../stores/scrapes/replays.ts";
import { type ModelTokens, openModelTokens } from "../stores/tokens/model-tokens.ts";
import { openPageVersions, type PageVersions } from "../stores/versions/page-versions.ts";
import { type AppContext, reporter } from "./context.ts";
import type { Stores } from "./stores.ts";

/** Everything that is kept for teams. A store that is added here is pruned and erased with the others. */
export interface RetainedData extends Readonly<Record<string, TeamData>> {
  readonly records: Records;
  readonly replays: Replays;
  readonly profiles: Profiles;
  readonly files: Files;
  readonly captures: PageCache;
  readonly feedback: Feedback;
  readonly readings: Readings<ReadDocument>;
  readonly toolRequests: RequestRows;
  readonly operatorSessions: OperatorSessions;
  readonly figures: Figures;
  readonly sessions: SessionRows;
  readonly versions: PageVersions;
  readonly modelTokens: ModelTokens;
  readonly batches: BatchPages;
  readonly runs: KeptRuns;
  readonly uploads: Uploads;
  readonly crawls: KeptCrawls;
}

export async function openRetainedData(
  { config, log, resources }: AppContext,
  stores: Stores,
): Promise<RetainedData> {
  const secrets = await openSecrets({ keys: config.stores.secretKeys, keyFile: config.stores.secretKeyFile });
  const onError = reporter(log, "Records could not be stored.");
  const records = resources.add(openRecords({ ...stores, onError }), (opened) => opened.close());
  const replays = resources.add(openReplays({ ...stores, secrets, onError }), (opened) => opened.close());
  const captures = openPageCache({
    ...stores,
    maxBytes: config.stores.cacheMaxBytes,
    scope: config.stores.cacheScope,
  });
  resources.add(captures, (opened) => opened.close());
  const { database } = stores;
  const figures = openFigures({ database, onError: reporter(log, "Figures could not be written.") });
  resources.add(figures, (opened) => opened.close());
  return {
    records,
    figures,
    replays,
    profiles: openProfiles({ ...stores, secrets, onError: reporter(log, "A profile lock failed.") }),
    files: openFiles({ ...stores, secrets }),
    captures,
    feedback: openFeedback(stores.database),
    readings: openReadings(stores),
    toolRequests: new RequestRows(stores.database, Date.now),
    operatorSessions: openOperatorSessions(stores.database),
    sessions: new SessionRows(stores.database),
    uploads: new Uploads({ ...stores, secrets, maxUnparsed: config.parsing.maxUnparsedUploads }),
    versions: openPageVersions(stores),
    batches: new BatchPages(database, systemClock),
    crawls: new KeptCrawls(database),
    runs: new KeptRuns({ database, clock: systemClock, retentionMs: config.jobs.retentionMs }),
    modelTokens: openModelTokens({
      database,
      maxPerDay: config.languageModel.dailyTokens,
      onError: reporter(log, "Token usage of language models could not be stored."),
    }),
  };
}

/** Deletes what is too old or too much. */
export async function pruneAll(kept: RetainedData): Promise<void> {
  for (const store of Object.values(kept)) await store.prune();
}

/** Erases what a team has stored, and the pages it had fetched, in every file. */
export async function eraseTeam(teamId: string, kept: RetainedData, { database }: Stores): Promise<void> {
  for (const store of Object.values(kept)) await store.erase(teamId);
  await database.wipe?.();
}
