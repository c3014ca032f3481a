import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { done } from "../api/common-shapes.ts";
import { NotFoundError } from "../api/errors.ts";
import { DAY, lastPage, SCRAPE_ID, success, TEAM_ID } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { answerOf, Count, CursorQuery, Id, limitOf, pageOf, Success, Time } from "../api/operator-fields.ts";
import { forOperator } from "../api/operator-operation.ts";
import { defineOperation } from "../api/operation.ts";
import type { Database } from "../storage/database/database.ts";
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

const Host = lazy(() =>
  z
    .string()
    .max(261)
    .regex(/^[^\s/@?#\\]+$/, { error: "must be a host" })
    .refine((host) => URL.canParse(`http://${host}/`), { error: "must be a host" }),
);

/** `GET /admin/api/cache`. */
const CacheQuery = z.object({
  url: z.string().max(2000).optional(),
  limit: limitOf(100, 1000),
  cursor: CursorQuery,
});

/** A version of a page, which `DELETE /admin/api/cache/{id}` removes. */
const CacheEntry = lazy(() =>
  z.strictObject({
    id: Id,
    url: z.string(),
    statusCode: z.int(),
    sizeBytes: Count,
    screenshot: z.enum(["none", "viewport", "full-page"]),
    teamId: Id.nullable(),
    isShared: z.boolean(),
    storedAt: Time,
  }),
);

export const CacheAnswer = () => pageOf(CacheEntry());

/** `GET /admin/api/cache/size`. */
const CacheSizeAnswer = () => answerOf(z.strictObject({ versions: Count, bytes: Count, maxBytes: Count }));

/** `GET /admin/api/cache/compare?a=&b=` compares two versions as Markdown. */
const CacheCompareAnswer = () => answerOf(z.strictObject({ markdown: TextDifference }));

/**
 * `POST /admin/api/cache/purge` deletes all versions of an address, or all pages of a host. Lists show
 * addresses without their secrets.
 */
export const PurgeRequest = () =>
  z.union([
    z.strictObject({ url: z.url().max(20_000) }),
    z.strictObject({ id: Id.max(100) }),
    z.strictObject({ request: Id.max(100) }),
    z.strictObject({ host: Host() }),
  ]);
const PurgeAnswer = () =>
  z.strictObject({
    success: Success,
    removed: Count,
    isCut: z.boolean(),
  });

export type CacheAnswer = z.output<ReturnType<typeof CacheAnswer>>;
type CacheSizeAnswer = z.output<ReturnType<typeof CacheSizeAnswer>>;
type CacheCompareAnswer = z.output<ReturnType<typeof CacheCompareAnswer>>;
export type PurgeRequest = z.output<ReturnType<typeof PurgeRequest>>;
type PurgeAnswer = z.output<ReturnType<typeof PurgeAnswer>>;

/** Maximum versions that one request deletes. */
const MAX_PURGED = 10_000;

export interface CacheServices {
  readonly database: Database;
  readonly services: RunServices;
  readonly cacheMaxBytes: number;
}

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

/** The URL in the form under which the cache stores it. @throws NotFoundError */
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
  audit: "page.forgotten",
  tells: ["url", "host", "id", "request"],
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
  audit: "page.forgotten",
  answer: done,
  errors: [404],
  async handle({ params: { id } }, { services: { cache } }: CacheServices) {
    if (!(await cache.remove(id))) throw new NotFoundError("Page version not found.");
    return { success: true };
  },
});

export const cacheOperations = [versions, size, comparison, purge, versionRemoval];

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
