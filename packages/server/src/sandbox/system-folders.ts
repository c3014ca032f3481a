import { lstat, readlink } from "node:fs/promises";

import type { SystemFolders } from "./sandbox.ts";

const PROGRAMS_AND_LIBRARIES = ["/usr/bin", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo"];
/** Links into `/usr` on most systems, folders of their own on the others. */
const ROOT_FOLDERS = ["/bin", "/lib", "/lib64"];

/** What every box has of this system: programs and libraries. Nothing of `/etc`, `/home`, `/root`, `/var`. */
export async function findSystemFolders(): Promise<SystemFolders> {
  const found = await Promise.all([...PROGRAMS_AND_LIBRARIES, ...ROOT_FOLDERS].map(look));
  return {
    folders: found.flatMap((one) => (one?.kind === "folder" ? [one.path] : [])),
    links: found.flatMap((one) => (one?.kind === "link" ? [{ path: one.path, target: one.target }] : [])),
  };
}

async function look(path: string) {
  const status = await lstat(path).catch(() => undefined);
  if (status?.isSymbolicLink()) return { kind: "link", path, target: await readlink(path) } as const;
  return status?.isDirectory() ? ({ kind: "folder", path } as const) : undefined;
}
