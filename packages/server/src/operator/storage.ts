import { getTeam } from "../accounts/teams.ts";
import { NotFoundError } from "../api/errors.ts";
import {
  compareCache,
  exportProfile,
  importProfile,
  listCache,
  listProfiles,
  purgeCache,
  type PurgeRequest,
  readCacheSize,
  removeFromCache,
  removeProfile,
} from "./storage-shapes.ts";
import { defineOperation, type Operation } from "../api/operation.ts";
import { leaseClockOf } from "../storage/coordination/lease-clock.ts";
import type { Database } from "../storage/database/database.ts";
import { searchProfiles } from "../profiles/profile-search.ts";
import type { Profiles } from "../profiles/profiles.ts";
import { maskUrl } from "../scrape/request/masked-body.ts";
import type { RunServices } from "../scrape/run.ts";
import {
  capturesOfHost,
  capturesOfUrl,
  searchCaptures,
  sizeOfCaptures,
  urlOfCapture,
} from "../fetch/page-cache/capture-search.ts";
import { cacheUrl } from "../fetch/page-cache/page-cache-key.ts";
import { markdownOfCapture } from "../history/operator/capture-markdown.ts";
import { textDifference } from "../history/operator/text-difference.ts";

/** Versions that one request deletes. */
const MAX_PURGED = 10_000;

interface ProfileServices {
  readonly database: Database;
  readonly profiles: Profiles;
}

interface CacheServices {
  readonly database: Database;
  readonly services: RunServices;
  readonly cacheMaxBytes: number;
}

export type StorageServices = ProfileServices & CacheServices;

const profiles = defineOperation({
  ...listProfiles,
  async handle({ query: { team: teamId, limit, cursor } }, { database }: ProfileServices) {
    const page = await searchProfiles(database, { teamId, limit, cursor, nowMs: leaseClockOf(database)() });
    const data = page.data.map(({ createdAtMs, savedAtMs, ...profile }) => ({
      ...profile,
      createdAt: iso(createdAtMs),
      savedAt: savedAtMs === null ? null : iso(savedAtMs),
    }));
    return { success: true, data, cursor: page.cursor };
  },
});

const profileRemoval = defineOperation({
  ...removeProfile,
  async handle({ params: { id: teamId, name } }, services: ProfileServices) {
    await services.profiles.delete({ teamId, name });
    return { success: true };
  },
});

const profileExport = defineOperation({
  ...exportProfile,
  async handle({ params: { id: teamId, name } }, services: ProfileServices) {
    const { savedAtMs, sealed, ...origin } = await services.profiles.export({ teamId, name });
    const base64 = Buffer.from(sealed).toString("base64");
    return { kind: "pergamon-profile" as const, ...origin, savedAt: iso(savedAtMs), sealed: base64 };
  },
});

const profileImport = defineOperation({
  ...importProfile,
  async handle({ params: { id: teamId, name }, body }, services: ProfileServices) {
    await getTeam(services.database, teamId);
    const origin = { teamId: body.teamId, name: body.name, savedAtMs: Date.parse(body.savedAt) };
    const sealed = Buffer.from(body.sealed, "base64");
    await services.profiles.import({ teamId, name }, { ...origin, sealed });
    return { success: true };
  },
});

const versions = defineOperation({
  ...listCache,
  async handle({ query }, { database }: CacheServices) {
    const page = await searchCaptures(database, query);
    const data = page.data.map(({ storedAtMs, scope, url, ...entry }) => ({
      ...entry,
      url: maskUrl(url),
      isShared: scope === "instance",
      storedAt: iso(storedAtMs),
    }));
    return { success: true, data, cursor: page.cursor };
  },
});

const size = defineOperation({
  ...readCacheSize,
  async handle(_call, { database, cacheMaxBytes }: CacheServices) {
    return { success: true, data: { ...(await sizeOfCaptures(database)), maxBytes: cacheMaxBytes } };
  },
});

const comparison = defineOperation({
  ...compareCache,
  async handle({ query: { a, b } }, { services }: CacheServices) {
    const [first, second] = [await markdownOfCapture(a, services), await markdownOfCapture(b, services)];
    return { success: true, data: { markdown: textDifference(first, second) } };
  },
});

/** As the cache has it. @throws NotFoundError */
async function addressOf(
  body: Exclude<PurgeRequest, { readonly host: string }>,
  database: Database,
  records: Pick<RunServices["records"], "get">,
): Promise<string> {
  if ("url" in body) return cacheUrl(body.url);
  if ("id" in body) {
    const url = await urlOfCapture(database, body.id);
    if (url === undefined) throw new NotFoundError("Page version not found.");
    return url;
  }
  const found = await records.get(body.request);
  if (!found || !URL.canParse(found.record.url)) throw new NotFoundError("Request not found.");
  return cacheUrl(found.record.url);
}

const purge = defineOperation({
  ...purgeCache,
  async handle({ body }, { database, services: { cache, records } }: CacheServices) {
    const ids =
      "host" in body
        ? await capturesOfHost(database, body.host, MAX_PURGED)
        : await capturesOfUrl(database, await addressOf(body, database, records), MAX_PURGED);
    let removed = 0;
    for (const id of ids) if (await cache.remove(id)) removed += 1;
    return { success: true, removed, isCut: ids.length === MAX_PURGED };
  },
});

const versionRemoval = defineOperation({
  ...removeFromCache,
  async handle({ params: { id } }, { services: { cache } }: CacheServices) {
    if (!(await cache.remove(id))) throw new NotFoundError("Page version not found.");
    return { success: true };
  },
});

/** Logins that are kept for teams, and pages that are kept for all. */
export const storageOperations: readonly Operation<StorageServices>[] = [
  profiles,
  profileRemoval,
  profileExport,
  profileImport,
  versions,
  size,
  comparison,
  purge,
  versionRemoval,
];

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
