import { readFileSync } from "node:fs";

/**
 * Maximum number of files and connections that this process may have open; undefined where the system does
 * not tell.
 */
export function openFilesLimit(): number | undefined {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
