import { z } from "zod";

import { answerOf, Count, CursorQuery, Id, limitOf, pageOf, Success, TeamQuery, Time } from "./fields.ts";
import { TextDifference } from "./compare.ts";

/** `GET /admin/api/profiles`. */
export const ProfileQuery = z.object({ team: TeamQuery, limit: limitOf(100, 1000), cursor: CursorQuery });

/** `DELETE /admin/api/teams/{id}/profiles/{name}` ends one. */
const ProfileEntry = z.strictObject({
  teamId: Id,
  name: z.string(),
  sizeBytes: Count,
  isLocked: z.boolean().describe("Whether somebody writes to it just now."),
  createdAt: Time,
  savedAt: Time.nullable(),
});

export const OperatorProfilesAnswer = pageOf(ProfileEntry);

/** `GET /admin/api/cache`. */
export const CacheQuery = z.object({
  url: z.string().max(2000).optional().describe("A part of the address."),
  limit: limitOf(100, 1000),
  cursor: CursorQuery,
});

/** A version of a page. `DELETE /admin/api/cache/{id}` removes it. */
const CacheEntry = z.strictObject({
  id: Id,
  url: z.string().describe("Without credentials."),
  statusCode: z.int(),
  sizeBytes: Count.describe("On disk, usually compressed."),
  screenshot: z.enum(["none", "viewport", "full-page"]),
  teamId: Id.nullable().describe("Who had it fetched; null for pages from before this was noted."),
  isShared: z.boolean().describe("Whether it serves all teams."),
  storedAt: Time,
});

export const CacheAnswer = pageOf(CacheEntry);

/** `GET /admin/api/cache/size`. */
export const CacheSizeAnswer = answerOf(
  z.strictObject({ versions: Count, bytes: Count, maxBytes: Count.describe("CACHE_MAX_BYTES.") }),
);

/** `GET /admin/api/cache/compare?a=&b=`: what changed between two versions, as Markdown. */
export const CacheCompareAnswer = answerOf(z.strictObject({ markdown: TextDifference }));

/** `POST /admin/api/cache/purge`: every version of the address. */
export const PurgeRequest = z.strictObject({ url: z.url().max(20_000).describe("The whole address.") });
export const PurgeAnswer = z.strictObject({ success: Success, removed: Count });

export type OperatorProfilesAnswer = z.output<typeof OperatorProfilesAnswer>;
export type CacheAnswer = z.output<typeof CacheAnswer>;
export type CacheSizeAnswer = z.output<typeof CacheSizeAnswer>;
export type CacheCompareAnswer = z.output<typeof CacheCompareAnswer>;
export type PurgeAnswer = z.output<typeof PurgeAnswer>;
