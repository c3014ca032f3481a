import { mkdir } from "node:fs/promises";

import { openAdministration } from "./accounts/administration.ts";
import { deliverAudit } from "./accounts/audit-delivery.ts";
import { type AuditLog, openAuditLog } from "./accounts/audit.ts";
import { type Callers, openCallers } from "./accounts/callers.ts";
import { type Credits, openCredits, releaseAbandonedHolds } from "./accounts/credits.ts";
import { Limits } from "./accounts/limits.ts";
import { ensureDefaultTeam, type Team } from "./accounts/teams.ts";
import { openRevocations, type Revocations } from "./accounts/revocations.ts";
import type { Config } from "./config.ts";
import type { Log } from "./kit/log.ts";
import { repeat } from "./kit/repeat.ts";
import type { Resources } from "./kit/resources.ts";
import type { BlobStore } from "./platform/blobs/blob-store.ts";
import { openBlobs } from "./platform/blobs/drivers.ts";
import type { Database } from "./platform/database/database.ts";
import { openDatabase } from "./platform/database/drivers.ts";
import type { Guard } from "./platform/net/guard.ts";
import { post } from "./platform/net/post.ts";
import { openSecrets } from "./platform/secrets/secrets.ts";
import { openProfiles, type Profiles } from "./profiles/profiles.ts";
import { type Files, openFiles } from "./stores/files/files.ts";
import { openPageCache, type PageCache } from "./stores/captures/page-cache.ts";
import { openRecords, type Records } from "./stores/scrapes/records.ts";

/** How often new events of the audit log are sent, and how long that may take. */
const AUDIT_INTERVAL_MS = 2000;
const AUDIT_TIME_LIMIT_MS = 30_000;

/** Stores that everything else rests on. */
export interface Stores {
  readonly database: Database;
  readonly blobs: BlobStore;
}

/** Opens the stores and brings the database to the newest version. */
export async function openStores(config: Config, resources: Resources): Promise<Stores> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const database = resources.add(await openDatabase(config.databaseUrl), (opened) => opened.close());
  await database.migrate();
  const blobs = resources.add(await openBlobs(config.blobsUrl), (opened) => opened.close());
  return { database, blobs };
}

/** What the command line works on while no server, or another one, runs. */
export async function openOperator(config: Config, resources: Resources) {
  const stores = await openStores(config, resources);
  const { id: defaultTeamId } = await ensureDefaultTeam(stores.database);
  const secrets = await openSecrets({ keys: config.secretKeys, keyFile: config.secretKeyFile });
  const records = resources.add(openRecords(stores), (opened) => opened.close());
  const profiles = openProfiles({ ...stores, secrets });
  const files = openFiles({ ...stores, secrets });
  const cache = openPageCache({ ...stores, maxBytes: config.cacheMaxBytes });
  resources.add(cache, (opened) => opened.close());
  const credits = openCredits(stores);
  const callers = openCallers(stores.database);
  const audit = openAuditLog(stores.database, () => undefined);
  resources.add(audit, (opened) => opened.flush());
  const administration = openAdministration({
    database: stores.database,
    credits,
    callers,
    audit,
    keptTeamId: defaultTeamId,
    eraseData: (teamId) => eraseTeam(teamId, { stores, records, profiles, files, cache }),
  });
  return { administration, defaultTeamId };
}

/** Who may do what, and what it costs them. */
export interface Accounts {
  /** Of open mode. */
  readonly team: Team;
  readonly callers: Callers;
  readonly credits: Credits;
  readonly limits: Limits;
  readonly audit: AuditLog;
  readonly revocations: Revocations;
}

export async function openAccounts(
  config: Config,
  log: Log,
  { stores: { database }, resources }: { readonly stores: Stores; readonly resources: Resources },
): Promise<Accounts> {
  const team = await ensureDefaultTeam(database);
  const released = await releaseAbandonedHolds(database);
  if (released > 0) log.warn({ released }, "Credits of work that a crash has ended were released.");
  const onError = reporter(log, "Usage could not be counted.");
  const credits = openCredits({ database, countsOnly: config.auth === "open", onError });
  resources.add(credits, (opened) => opened.flush());
  const audit = openAuditLog(database, reporter(log, "Audit events could not be stored."));
  resources.add(audit, (opened) => opened.flush());
  const limits = new Limits(config.teamLimits);
  const revocations = openRevocations(database, reporter(log, "Keys in use could not be looked up."));
  return { team, callers: openCallers(database), credits, limits, audit, revocations };
}

/** Logs failures that end no request. */
export function reporter(log: Log, message: string): (failure: unknown) => void {
  return (failure) => log.error({ err: failure }, message);
}

interface AuditParts {
  readonly stores: Stores;
  readonly resources: Resources;
  readonly audit: AuditLog;
  readonly guard: Guard;
}

/** Sends the audit log to the collector, if there is one, again and again. */
export function sendAudit({ auditCollector }: Config, log: Log, parts: AuditParts): void {
  if (!auditCollector) return;
  const { url, apiKey } = auditCollector;
  const headers = {
    "content-type": "application/x-ndjson",
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  };
  const send = async (lines: string) => {
    const signal = AbortSignal.timeout(AUDIT_TIME_LIMIT_MS);
    const status = await post({ url: new URL(url), headers, body: lines }, parts.guard, signal);
    if (status < 200 || status > 299) throw new Error(`The collector of the audit log answered ${status}.`);
  };
  const { database } = parts.stores;
  const deliver = () => deliverAudit({ database, audit: parts.audit, collector: url, send });
  const onError = reporter(log, "The audit log could not be sent.");
  parts.resources.add(repeat(AUDIT_INTERVAL_MS, deliver, onError), (sending) => sending.stop());
}

/** A key that was lost should not be noticed only when somebody needs what it sealed. */
export async function tellProblem(profiles: Profiles, log: Log): Promise<void> {
  const problem = await profiles.problem().catch(() => undefined);
  if (problem !== undefined) log.error(problem);
}

/** Where a team has stored something. */
interface Kept {
  readonly stores: Stores;
  readonly records: Records;
  readonly profiles: Profiles;
  readonly files: Files;
  readonly cache: PageCache;
}

/** Erases what a team has stored, and the pages it had fetched. */
export async function eraseTeam(teamId: string, kept: Kept): Promise<void> {
  const { stores, records, profiles, files, cache } = kept;
  await records.erase(teamId);
  for (const { name } of await profiles.list(teamId)) await profiles.erase({ teamId, name });
  await files.erase(teamId);
  await cache.erase(teamId);
  await stores.database.wipe?.();
}
