import type { IndexQuery } from "./indexed-pages.ts";
import { IndexFile } from "./index-file.ts";
import type { ExcerptOrder } from "./index-store.ts";
import { excerptOf } from "./index-words.ts";

/** A task on the index in the file with this path. */
export type InFile<Task> = Task & { readonly path: string };

const opened = new Map<string, IndexFile>();

export const index = ({ path }: InFile<object>) => indexIn(path).index();
export const search = ({ path, ...query }: InFile<IndexQuery>) => indexIn(path).search(query);
export const excerpts = ({ path, ...order }: InFile<ExcerptOrder>) => indexIn(path).excerpts(order);
export const removeTeam = ({ path, teamId }: InFile<{ readonly teamId: string }>) =>
  indexIn(path).removeTeam(teamId);

export function closeFile({ path }: InFile<object>): void {
  opened.get(path)?.close();
  opened.delete(path);
}

/** Needs no file. */
export const excerptsOf = ({ texts, words }: { texts: readonly string[]; words: string }) =>
  texts.map((text) => excerptOf(text, words));

function indexIn(path: string): IndexFile {
  const file = opened.get(path) ?? new IndexFile(path);
  opened.set(path, file);
  return file;
}
