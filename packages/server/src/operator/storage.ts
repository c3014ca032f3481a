import { z } from "zod";

import { getTeam } from "../accounts/teams.ts";
import { done } from "../api/common-shapes.ts";
import { NotFoundError } from "../api/errors.ts";
import { DAY, lastPage, SCRAPE_ID, success, TEAM_ID, teamIdPart } from "../api/example-values.ts";
import { limits } from "../api/limits.ts";
import { defineShape } from "../api/operation-shape.ts";
import {
  answerOf,
  Count,
  CursorQuery,
  Id,
  limitOf,
  pageOf,
  Success,
  TeamQuery,
  Time,
} from "../api/operator-fields.ts";
import { forOperator } from "../api/operator-operation.ts";
import { defineOperation } from "../api/operation.ts";
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
import { TextDifference } from "../history/operator/text-difference.ts";
import { CompareQuery } from "../history/operator/compare-requests.ts";
import { textDifference } from "../history/operator/text-difference.ts";

/** `GET /admin/api/profiles`. */
const ProfileQuery = z.object({ team: TeamQuery, limit: limitOf(100, 1000), cursor: CursorQuery });

/** `DELETE /admin/api/teams/{id}/profiles/{name}` ends one. */
const ProfileEntry = z.strictObject({
  teamId: Id,
  name: z.string(),
  sizeBytes: Count,
  isLocked: z.boolean(),
  createdAt: Time,
  savedAt: Time.nullable(),
});

export const OperatorProfilesAnswer = pageOf(ProfileEntry);

/** Bytes of an exported profile as JSON. */
const MAX_EXPORT_BYTES = 34 * 1024 * 1024;

/** A profile as a file. `POST …/import` takes it back. */
export const ExportedProfile = z.strictObject({
  kind: z.literal("pergamon-profile"),
  teamId: Id.max(100),
  name: z.string().min(1).max(limits.profileNameLength),
  savedAt: Time,
  sealed: z.string().max(MAX_EXPORT_BYTES),
});

const Host = z
  .string()
  .max(261)
  .regex(/^[^\s/@?#\\]+$/, { error: "must be a host" })
  .refine((host) => URL.canParse(`http://${host}/`), { error: "must be a host" });

/** `GET /admin/api/cache`. */
const CacheQuery = z.object({
  url: z.string().max(2000).optional(),
  limit: limitOf(100, 1000),
  cursor: CursorQuery,
});

/** A version of a page. `DELETE /admin/api/cache/{id}` removes it. */
const CacheEntry = z.strictObject({
  id: Id,
  url: z.string(),
  statusCode: z.int(),
  sizeBytes: Count,
  screenshot: z.enum(["none", "viewport", "full-page"]),
  teamId: Id.nullable(),
  isShared: z.boolean(),
  storedAt: Time,
});

export const CacheAnswer = pageOf(CacheEntry);

/** `GET /admin/api/cache/size`. */
const CacheSizeAnswer = answerOf(z.strictObject({ versions: Count, bytes: Count, maxBytes: Count }));

/** `GET /admin/api/cache/compare?a=&b=`: what changed between two versions, as Markdown. */
const CacheCompareAnswer = answerOf(z.strictObject({ markdown: TextDifference }));

/** `POST /admin/api/cache/purge`: every version of an address, which lists show without its secrets, or all pages of a host. */
export const PurgeRequest = z.union([
  z.strictObject({ url: z.url().max(20_000) }),
  z.strictObject({ id: Id.max(100) }),
  z.strictObject({ request: Id.max(100) }),
  z.strictObject({ host: Host }),
]);
const PurgeAnswer = z.strictObject({
  success: Success,
  removed: Count,
  isCut: z.boolean(),
});

export type OperatorProfilesAnswer = z.output<typeof OperatorProfilesAnswer>;
export type ExportedProfile = z.output<typeof ExportedProfile>;
export type CacheAnswer = z.output<typeof CacheAnswer>;
type CacheSizeAnswer = z.output<typeof CacheSizeAnswer>;
type CacheCompareAnswer = z.output<typeof CacheCompareAnswer>;
export type PurgeRequest = z.output<typeof PurgeRequest>;
type PurgeAnswer = z.output<typeof PurgeAnswer>;

const profilePath = {
  id: teamIdPart,
  name: { type: "string", maxLength: limits.profileNameLength, examples: ["shop"] },
} as const;

const profileFile = {
  kind: "pergamon-profile",
  teamId: TEAM_ID,
  name: "shop",
  savedAt: DAY,
  sealed: "AQID",
} as const;

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
  ...forOperator,
  line: "GET /admin/api/profiles",
  query: ProfileQuery,
  answer: defineShape("OperatorProfiles", OperatorProfilesAnswer, {
    ...lastPage,
    data: [{ teamId: TEAM_ID, name: "shop", sizeBytes: 2048, isLocked: false, createdAt: DAY, savedAt: DAY }],
  }),
  errors: [400],
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
  ...forOperator,
  line: "DELETE /admin/api/teams/{id}/profiles/{name}",
  answer: done,
  errors: [404, 409],
  async handle({ params: { id: teamId, name } }, services: ProfileServices) {
    await services.profiles.delete({ teamId, name });
    return { success: true };
  },
});

const profileExport = defineOperation({
  ...forOperator,
  line: "GET /admin/api/teams/{id}/profiles/{name}/export",
  params: profilePath,
  answer: defineShape("ExportedProfile", ExportedProfile, profileFile),
  errors: [400, 404],
  async handle({ params: { id: teamId, name } }, services: ProfileServices) {
    const { savedAtMs, sealed, ...origin } = await services.profiles.export({ teamId, name });
    const base64 = Buffer.from(sealed).toString("base64");
    return { kind: "pergamon-profile" as const, ...origin, savedAt: iso(savedAtMs), sealed: base64 };
  },
});

const profileImport = defineOperation({
  ...forOperator,
  line: "POST /admin/api/teams/{id}/profiles/{name}/import",
  params: profilePath,
  body: defineShape("ImportedProfile", ExportedProfile, profileFile),
  maxBodyBytes: MAX_EXPORT_BYTES,
  answer: done,
  errors: [400, 404, 409],
  async handle({ params: { id: teamId, name }, body }, services: ProfileServices) {
    await getTeam(services.database, teamId);
    const origin = { teamId: body.teamId, name: body.name, savedAtMs: Date.parse(body.savedAt) };
    const sealed = Buffer.from(body.sealed, "base64");
    await services.profiles.import({ teamId, name }, { ...origin, sealed });
    return { success: true };
  },
});

const versions = defineOperation({
  ...forOperator,
  line: "GET /admin/api/cache",
  query: CacheQuery,
  answer: defineShape("CacheVersions", CacheAnswer, {
    ...lastPage,
    data: [
      {
        id: SCRAPE_ID,
        url: "https://example.com",
        statusCode: 200,
        sizeBytes: 20_480,
        screenshot: "none",
        teamId: TEAM_ID,
        isShared: true,
        storedAt: DAY,
      },
    ],
  }),
  errors: [400],
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
  ...forOperator,
  line: "GET /admin/api/cache/size",
  answer: defineShape("CacheSize", CacheSizeAnswer, {
    success,
    data: { versions: 1, bytes: 20_480, maxBytes: 5_368_709_120 },
  }),
  async handle(_call, { database, cacheMaxBytes }: CacheServices) {
    return { success: true, data: { ...(await sizeOfCaptures(database)), maxBytes: cacheMaxBytes } };
  },
});

const comparison = defineOperation({
  ...forOperator,
  line: "GET /admin/api/cache/compare",
  query: CompareQuery,
  answer: defineShape("CacheCompare", CacheCompareAnswer, {
    success,
    data: { markdown: { hunks: [], isCut: false } },
  }),
  errors: [400, 404, 500],
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
  ...forOperator,
  line: "POST /admin/api/cache/purge",
  body: defineShape("PurgeRequest", PurgeRequest, { url: "https://example.com/" }),
  answer: defineShape("Purged", PurgeAnswer, { success, removed: 1, isCut: false }),
  errors: [404],
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
  ...forOperator,
  line: "DELETE /admin/api/cache/{id}",
  answer: done,
  errors: [404],
  async handle({ params: { id } }, { services: { cache } }: CacheServices) {
    if (!(await cache.remove(id))) throw new NotFoundError("Page version not found.");
    return { success: true };
  },
});

/** Logins that are kept for teams, and pages that are kept for all. */
export const storageOperations = [
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
