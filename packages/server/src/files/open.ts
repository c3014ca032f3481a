import type { Storage } from "../storage/open.ts";
import { type Files, openFiles } from "./files.ts";

export interface FileContext {
  /** Files that answers link to. */
  readonly files: Files;
}

export function openFileStore({ database, blobs, secrets, teamData }: Storage): FileContext {
  return { files: teamData.add(openFiles({ database, blobs, secrets })) };
}
