import { existsSync } from "node:fs";

import type { IndexStore } from "./index-store.ts";
import { IndexThread } from "./index-thread.ts";
import type { FoundPage, IndexEntry } from "./indexed-pages.ts";

/** A file beside an embedded database, made when it is missing. All work on it is done in a thread. */
export function openFileStore(path: string): IndexStore {
  const thread = new IndexThread(path);
  return {
    add: async (pages) => void (await thread.run("add", pages)),
    search: async (query, signal) => (await thread.run("search", query, signal)) as readonly FoundPage[],
    excerpts: async (order, signal) =>
      (await thread.run("excerpts", order, signal)) as ReadonlyMap<string, FoundPage>,
    async entries(afterId, count) {
      if (!existsSync(path)) return [];
      return (await thread.run("entries", { afterId, count })) as readonly IndexEntry[];
    },
    remove: async (ids) => void (await thread.run("remove", ids)),
    async removeTeam(teamId) {
      if (existsSync(path)) await thread.run("removeTeam", teamId);
    },
    close: () => thread.close(),
  };
}
