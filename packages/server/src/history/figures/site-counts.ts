import type { EndedWork } from "../../accounts/work.ts";

/** Requests for one site, of one team and key. */
export interface SiteCount {
  readonly host: string;
  /** Empty: all requests, of any formats. */
  readonly format: string;
  pages: number;
  credits: number;
}

/** By format and host. */
type SiteCounts = ReadonlyMap<string, SiteCount>;

/** What does not fit is counted for the site without a name. */
const MAX_SITES_OF_KEY = 1000;
const MAX_SITES = 100_000;
const DAY_MS = 86_400_000;

/** Bounds how many sites are counted by name on a day, so that a crawl of everything does not fill the database. */
export class SiteNames {
  #day = 0;
  #size = 0;
  #byKey = new Map<string, Set<string>>();

  /** @returns the host, or nothing when there are too many others. */
  nameOf(host: string, { teamId, keyId = "", endedAtMs }: EndedWork): string {
    const day = Math.floor(endedAtMs / DAY_MS);
    if (day > this.#day) this.#begin(day);
    const key = `${keyId} ${teamId}`;
    const names = this.#byKey.get(key) ?? new Set();
    if (names.has(host)) return host;
    if (names.size >= MAX_SITES_OF_KEY || this.#size >= MAX_SITES) return "";
    this.#byKey.set(key, names.add(host));
    this.#size += 1;
    return host;
  }

  #begin(day: number): void {
    this.#day = day;
    this.#size = 0;
    this.#byKey = new Map();
  }
}

/** Counts a request for all formats together, and for each that it wanted. */
export function countSite(counts: Map<string, SiteCount>, host: string, ended: EndedWork): void {
  for (const format of new Set(["", ...ended.formats]))
    add(counts, { host, format, pages: 1, credits: ended.creditsUsed });
}

/** Adds counts up. */
export function summedSites(...parts: readonly SiteCounts[]): Map<string, SiteCount> {
  const sum = new Map<string, SiteCount>();
  for (const part of parts) for (const counted of part.values()) add(sum, counted);
  return sum;
}

function add(counts: Map<string, SiteCount>, counted: SiteCount): void {
  const name = `${counted.format} ${counted.host}`;
  const known = counts.get(name);
  if (!known) {
    counts.set(name, { ...counted });
    return;
  }
  known.pages += counted.pages;
  known.credits += counted.credits;
}
