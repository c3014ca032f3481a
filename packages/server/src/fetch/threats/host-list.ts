import { readFile } from "node:fs/promises";

import { canonicalHost, HostList } from "../../net/guard/host-list.ts";
import type { ThreatClassifier } from "./classifier.ts";

/**
 * Reads hosts from a text file, one per line. `#` begins a comment, and lines of a hosts file are valid, too.
 * A listed host and its subdomains have score 100.
 * @throws when the file cannot be read.
 */
export async function hostListClassifier(path: string): Promise<ThreatClassifier> {
  const hosts = [...readHosts(await readList(path))];
  const list = new HostList(hosts.flatMap((host) => [host, `*.${host}`]));
  return {
    isLocal: true,
    async score(url) {
      return list.has(canonicalHost(new URL(url))) ? 100 : 0;
    },
  };
}

async function readList(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The list of THREATS_URL cannot be read: ${reason}`, { cause });
  }
}

function* readHosts(text: string): Iterable<string> {
  for (const line of text.split("\n")) {
    const host = line.replace(/#.*/, "").trim().split(/\s+/).at(-1)?.toLowerCase();
    if (host) yield host;
  }
}
