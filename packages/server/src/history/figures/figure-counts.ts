import { durationBucket } from "./durations.ts";
import type { EndedWork, FigureKind, RefusedCall } from "../../accounts/work.ts";
import { type SiteCount, siteCountsOf, SiteNames, summedSites } from "./site-counts.ts";

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
  #last: Counted | undefined;
  readonly #siteNames = new SiteNames();

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  add(ended: EndedWork): void {
    const { pages = 1, creditsUsed } = ended;
    const { counts, sites } = this.#countedBy(ended);
    for (const counted of counts) increase(counted, pages, creditsUsed);
    for (const counted of sites) increase(counted, 1, creditsUsed);
  }

  addRefused({ code, atMs, ...whose }: RefusedCall): void {
    increase(countOf(this.#groupOf({ ...whose, endedAtMs: atMs }).counts, "refused", code), 1, 0);
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

  /** Answers from memory are like the one before, so that nothing is looked up again. */
  #countedBy(ended: EndedWork): Counted {
    const group = this.#groupOf(ended);
    const bucket = ended.durationMs === undefined ? undefined : durationBucket(ended.durationMs);
    const last = this.#last;
    if (last?.group === group && last.bucket === bucket && areAlike(last.ended, ended)) return last;
    const { host } = ended;
    const site = host === undefined ? undefined : this.#siteNames.nameOf(host, ended);
    return (this.#last = {
      ended,
      group,
      bucket,
      counts: namesOf(ended, bucket).map(([kind, name]) => countOf(group.counts, kind, name)),
      sites: site === undefined ? [] : siteCountsOf(group.sites, site, ended.formats),
    });
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

/** What a request is counted in, and everything that decides about it. */
interface Counted {
  readonly ended: EndedWork;
  readonly group: CountGroup;
  readonly bucket: number | undefined;
  readonly counts: readonly Count[];
  readonly sites: readonly SiteCount[];
}

function areAlike(one: EndedWork, other: EndedWork): boolean {
  const isSame = one.formats === other.formats && one.host === other.host && one.way === other.way;
  return isSame && one.kind === other.kind && one.errorCode === other.errorCode && one.isHit === other.isHit;
}

function namesOf(
  { kind = "scrape", errorCode, isHit, way, formats }: EndedWork,
  bucket: number | undefined,
): readonly (readonly [FigureKind, string])[] {
  const duration = bucket?.toString();
  const names: readonly (readonly [FigureKind, string | undefined])[] = [
    ["all", ""],
    ["duration", duration],
    ["hitDuration", isHit ? duration : undefined],
    ["kind", kind],
    ["failed", errorCode],
    ["hit", isHit ? "" : undefined],
    ["way", way],
    ...formats.map((format) => ["format", format] as const),
  ];
  return names.flatMap(([figure, name]) => (name === undefined ? [] : [[figure, name] as const]));
}

function countOf(counts: Map<string, Count>, kind: FigureKind, name: string): Count {
  const key = kind + name;
  const known = counts.get(key) ?? { kind, name, pages: 0, credits: 0 };
  counts.set(key, known);
  return known;
}

function increase(counted: Count | SiteCount, pages: number, credits: number): void {
  counted.pages += pages;
  counted.credits += credits;
}
