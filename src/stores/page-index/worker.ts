import { workerData } from "node:worker_threads";

import { lazy } from "../../kit/lazy.ts";
import type { IndexedPage, IndexQuery } from "./indexed-pages.ts";
import { IndexFile } from "./index-file.ts";
import type { ExcerptOrder } from "./index-store.ts";
import { excerptOf } from "./index-words.ts";
import { vectorOf } from "./text-vector.ts";

/** Piscina hands its own data on besides that of the pool. */
const index = lazy(() => new IndexFile(pathOf(workerData)));

export const add = (pages: readonly IndexedPage[]) => index().add(pages);
export const search = (query: IndexQuery) => index().search(query);
export const excerpts = ({ teamId, urls, words }: ExcerptOrder) => index().excerpts(teamId, urls, words);
export const entries = ({ afterId, count }: { afterId: number; count: number }) =>
  index().entries(afterId, count);
export const remove = (ids: readonly number[]) => index().remove(ids);
export const removeTeam = (teamId: string) => index().removeTeam(teamId);

/** The rest needs no file. */
export const vectors = (pages: readonly { readonly team: number; readonly page: IndexedPage }[]) =>
  pages.map(({ team, page }) => vectorOf(team, page));
export const excerptsOf = ({ texts, words }: { texts: readonly string[]; words: string }) =>
  texts.map((text) => excerptOf(text, words));

function pathOf(data: unknown): string {
  const own: unknown = Array.isArray(data) ? data[1] : data;
  if (typeof own === "object" && own !== null && "path" in own && typeof own.path === "string")
    return own.path;
  throw new Error("The index of pages is not a file.");
}
