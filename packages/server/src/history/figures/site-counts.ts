import type { EndedWork } from "../../accounts/work.ts";

export interface SiteCount {
  readonly host: string;
  /** Empty: all requests, whatever their formats. */
  readonly format: string;
  pages: number;
  credits: number;
}

/** Counts by format and host. */
type SiteCounts = ReadonlyMap<string, SiteCount>;

/** Sites beyond the limit are counted under the empty name. */
const MAX_SITES_OF_KEY = 1000;
const MAX_SITES = 100_000;
const DAY_MS = 86_400_000;

/** Limits how many sites are counted by name per day, so that a large crawl does not fill the database. */
export class SiteNames {
  #day = 0;
  #size = 0;
  #byKey = new Map<string, Set<string>>();

  /** @returns the host, or an empty string beyond the limit. */
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

/** A request counts once for all formats together, and once for each requested format. */
export function siteCountsOf(
  counts: Map<string, SiteCount>,
  host: string,
  formats: readonly string[],
): readonly SiteCount[] {
  return [...new Set(["", ...formats])].map((format) => countOf(counts, host, format));
}

export function summedSites(...parts: readonly SiteCounts[]): Map<string, SiteCount> {
  const sum = new Map<string, SiteCount>();
  for (const { host, format, pages, credits } of parts.flatMap((part) => [...part.values()])) {
    const known = countOf(sum, host, format);
    known.pages += pages;
    known.credits += credits;
  }
  return sum;
}

function countOf(counts: Map<string, SiteCount>, host: string, format: string): SiteCount {
  const name = `${format} ${host}`;
  const known = counts.get(name) ?? { host, format, pages: 0, credits: 0 };
  counts.set(name, known);
  return known;
}
