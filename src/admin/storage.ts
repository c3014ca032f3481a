import type { FastifyInstance } from "fastify";

import { NotFoundError } from "../contract/errors.ts";
import { CompareQuery } from "../contract/operator/compare.ts";
import {
  type CacheAnswer,
  type CacheCompareAnswer,
  CacheQuery,
  type CacheSizeAnswer,
  type OperatorProfilesAnswer,
  ProfileQuery,
  type PurgeAnswer,
  PurgeRequest,
} from "../contract/operator/storage.ts";
import { leaseClockMs } from "../platform/coordination/lease-clock.ts";
import type { Database } from "../platform/database/database.ts";
import { searchProfiles } from "../profiles/profile-search.ts";
import type { Profiles } from "../profiles/profiles.ts";
import { maskUrl } from "../scrape/request/masked-body.ts";
import type { RunServices } from "../scrape/run.ts";
import { capturesOfUrl, searchCaptures, sizeOfCaptures } from "../stores/captures/capture-search.ts";
import { cacheUrl } from "../stores/captures/page-cache-key.ts";
import { markdownOfCapture } from "./capture-markdown.ts";
import { textDifference } from "./text-difference.ts";

export interface StorageRoutes {
  readonly database: Database;
  readonly profiles: Profiles;
  readonly services: RunServices;
  readonly cacheMaxBytes: number;
}

/** Logins that are kept for teams, and pages that are kept for all. */
export function addStorageRoutes(app: FastifyInstance, routes: StorageRoutes): void {
  addProfileRoutes(app, routes);
  addCacheRoutes(app, routes);
  addPurgeRoutes(app, routes);
}

function addProfileRoutes(app: FastifyInstance, { database, profiles }: StorageRoutes): void {
  app.get("/admin/api/profiles", async ({ query }): Promise<OperatorProfilesAnswer> => {
    const { team: teamId, limit, cursor } = ProfileQuery.parse(query);
    const page = await searchProfiles(database, { teamId, limit, cursor, nowMs: leaseClockMs() });
    const data = page.data.map(({ createdAtMs, savedAtMs, ...profile }) => ({
      ...profile,
      createdAt: iso(createdAtMs),
      savedAt: savedAtMs === null ? null : iso(savedAtMs),
    }));
    return { success: true, data, cursor: page.cursor };
  });

  interface OfTeam {
    Params: { id: string; name: string };
  }
  app.delete<OfTeam>("/admin/api/teams/:id/profiles/:name", async ({ params: { id: teamId, name } }) => {
    await profiles.delete({ teamId, name });
    return { success: true };
  });
}

function addCacheRoutes(app: FastifyInstance, { database, services, cacheMaxBytes }: StorageRoutes): void {
  app.get("/admin/api/cache", async ({ query }): Promise<CacheAnswer> => {
    const page = await searchCaptures(database, CacheQuery.parse(query));
    const data = page.data.map(({ storedAtMs, scope, url, ...entry }) => ({
      ...entry,
      url: maskUrl(url),
      isShared: scope === "instance",
      storedAt: iso(storedAtMs),
    }));
    return { success: true, data, cursor: page.cursor };
  });

  app.get("/admin/api/cache/size", async (): Promise<CacheSizeAnswer> => {
    return { success: true, data: { ...(await sizeOfCaptures(database)), maxBytes: cacheMaxBytes } };
  });

  app.get("/admin/api/cache/compare", async ({ query }): Promise<CacheCompareAnswer> => {
    const { a, b } = CompareQuery.parse(query);
    const [first, second] = [await markdownOfCapture(a, services), await markdownOfCapture(b, services)];
    return { success: true, data: { markdown: textDifference(first, second) } };
  });
}

function addPurgeRoutes(app: FastifyInstance, { database, services: { cache } }: StorageRoutes): void {
  app.post("/admin/api/cache/purge", async ({ body }): Promise<PurgeAnswer> => {
    const { url } = PurgeRequest.parse(body);
    const ids = await capturesOfUrl(database, cacheUrl(url));
    let removed = 0;
    for (const id of ids) if (await cache.remove(id)) removed += 1;
    return { success: true, removed };
  });

  app.delete<{ Params: { id: string } }>("/admin/api/cache/:id", async ({ params }) => {
    if (!(await cache.remove(params.id))) throw new NotFoundError("There is no such version of a page.");
    return { success: true };
  });
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
