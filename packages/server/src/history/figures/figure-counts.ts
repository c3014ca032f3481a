import { durationBucket } from "./durations.ts";
import type { EndedWork, FigureKind, RefusedCall } from "../../accounts/work.ts";
import { countSite, type SiteCount, SiteNames, summedSites } from "./site-counts.ts";

interface Count {
  readonly kind: FigureKind;
  readonly name: string;
  pages: number;
  credits: number;
}

/** Counts of one minute, team and key. */
export interface CountGroup {
  readonly startMs: number;
  readonly teamId: string;
  /** Empty for work without a key. */
  readonly keyId: string;
  readonly counts: Map<string, Count>;
  readonly sites: Map<string, SiteCount>;
}

const MINUTE_MS = 60_000;

/** Sums of ended requests that wait to be written. */
export class FigureCounts {
  #groups = new Map<string, CountGroup>();
  /** The last group, which most requests hit: consecutive ones are mostly of one team and minute. */
  #latest: CountGroup | undefined;
  readonly #siteNames = new SiteNames();

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  add(ended: EndedWork): void {
    const { counts, sites } = this.#groupOf(ended);
    const { host, isHit } = ended;
    count(counts, "all", "", ended);
    if (ended.durationMs !== undefined) {
      const bucket = String(durationBucket(ended.durationMs));
      count(counts, "duration", bucket, ended);
      if (isHit) count(counts, "hitDuration", bucket, ended);
    }
    count(counts, "kind", ended.kind ?? "scrape", ended);
    if (ended.errorCode !== undefined) count(counts, "failed", ended.errorCode, ended);
    if (isHit) count(counts, "hit", "", ended);
    if (ended.way !== undefined) count(counts, "way", ended.way, ended);
    for (const format of ended.formats) count(counts, "format", format, ended);
    if (host !== undefined) countSite(sites, this.#siteNames.nameOf(host, ended), ended);
  }

  addRefused({ code, atMs, ...whose }: RefusedCall): void {
    count(this.#groupOf({ ...whose, endedAtMs: atMs }).counts, "refused", code, { creditsUsed: 0 });
  }

  /** @returns the counts since the last call. */
  take(): readonly CountGroup[] {
    const taken = [...this.#groups.values()];
    this.#groups = new Map();
    this.#latest = undefined;
    return taken;
  }

  /** Restores counts that could not be written. */
  putBack(groups: readonly CountGroup[]): void {
    this.#latest = undefined;
    for (const group of groups) {
      const name = nameOf(group);
      const known = this.#groups.get(name);
      this.#groups.set(name, known ? joined(group, known) : group);
    }
  }

  #groupOf({ teamId, keyId = "", endedAtMs }: Pick<EndedWork, "teamId" | "keyId" | "endedAtMs">): CountGroup {
    const startMs = Math.floor(endedAtMs / MINUTE_MS) * MINUTE_MS;
    const latest = this.#latest;
    if (latest?.startMs === startMs && latest.teamId === teamId && latest.keyId === keyId) return latest;
    const name = nameOf({ startMs, teamId, keyId });
    const known = this.#groups.get(name);
    const group = known ?? { startMs, teamId, keyId, counts: new Map(), sites: new Map() };
    if (!known) this.#groups.set(name, group);
    this.#latest = group;
    return group;
  }
}

/** Adds up the counts of the same team and key. */
export function joined(group: CountGroup, other: CountGroup): CountGroup {
  const counts = summed(group.counts, other.counts);
  return { ...group, counts, sites: summedSites(group.sites, other.sites) };
}

function summed(...parts: readonly ReadonlyMap<string, Count>[]): Map<string, Count> {
  const sum = new Map<string, Count>();
  for (const part of parts) {
    for (const [name, counted] of part) {
      const known = sum.get(name);
      if (!known) sum.set(name, { ...counted });
      else {
        known.pages += counted.pages;
        known.credits += counted.credits;
      }
    }
  }
  return sum;
}

function nameOf({ startMs, teamId, keyId }: Omit<CountGroup, "counts" | "sites">): string {
  return `${startMs} ${keyId} ${teamId}`;
}

type Counted = Pick<EndedWork, "creditsUsed" | "pages">;

function count(counts: Map<string, Count>, kind: FigureKind, name: string, counted: Counted): void {
  const { creditsUsed: credits, pages = 1 } = counted;
  const key = kind + name;
  const known = counts.get(key);
  if (!known) {
    counts.set(key, { kind, name, pages, credits });
    return;
  }
  known.pages += pages;
  known.credits += credits;
}
