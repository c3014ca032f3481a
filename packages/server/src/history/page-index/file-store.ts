import { existsSync } from "node:fs";

import type { IndexStore } from "./index-store.ts";
import type { IndexThread, TenantOfThread } from "./index-thread.ts";
import type { ExcerptedPage, FoundPage, IndexEntry } from "./indexed-pages.ts";

/**
 * Keeps the index in a file next to an embedded database. The file is created when missing, and only the
 * thread uses it.
 */
export function openFileStore(path: string, thread: IndexThread): IndexStore {
  let isUsed = false;
  const run = (name: string, task: object, whose?: TenantOfThread) => {
    isUsed = true;
    return thread.run(name, { ...task, path }, whose);
  };
  return {
    add: async (pages) => void (await run("add", { pages })),
    search: async (query, signal) =>
      (await run("search", query, { teamId: query.teamId, signal })) as readonly FoundPage[],
    excerpts: async (order, signal) =>
      (await run("excerpts", order, { teamId: order.teamId, signal })) as ReadonlyMap<string, ExcerptedPage>,
    async entries(afterId, count) {
      if (!existsSync(path)) return [];
      return (await run("entries", { afterId, count })) as readonly IndexEntry[];
    },
    remove: async (ids) => void (await run("remove", { ids })),
    async removeTeam(teamId) {
      if (existsSync(path)) await run("removeTeam", { teamId });
    },
    async close() {
      if (isUsed) await run("closeFile", {});
    },
  };
}
