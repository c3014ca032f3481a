/** What a site lets one robot visit. */
export interface RobotsRules {
  /** Whether the URL, of the site that the rules are from, may be visited. */
  allows(url: URL): boolean;
  /** How far apart the robot's visits should start; 0 when the site does not say. */
  readonly crawlDelayMs: number;
  /** Addresses of sitemaps, as they are written. */
  readonly sitemaps: readonly string[];
}

/** The rules of a site that has none. */
export const ALLOWS_ALL: RobotsRules = { allows: () => true, crawlDelayMs: 0, sitemaps: [] };

interface Rule {
  readonly isAllowed: boolean;
  readonly pattern: string;
}

interface Group {
  readonly robots: readonly string[];
  readonly rules: Rule[];
}

/** What a file says, for all robots. */
interface RobotsFile {
  readonly groups: Group[];
  /** `Crawl-delay` is not part of RFC 9309: such a line holds for the robots named last, and ends no list of names. */
  readonly delays: { readonly robots: readonly string[]; readonly delayMs: number }[];
  readonly sitemaps: string[];
}

/** Longer ones are not rules that people wrote. */
const MAX_PATTERN_LENGTH = 4_096;
/** Longer delays are cut: a crawl that waits longer between two pages does not end. */
const MAX_CRAWL_DELAY_MS = 60_000;
const MAX_SITEMAPS = 1000;

/**
 * Reads robots.txt for a robot, by its product token (RFC 9309): all groups that name it, else all groups for any
 * robot. The longest pattern that matches decides; of equals, the one that allows.
 */
export function parseRobots(text: string, robot: string): RobotsRules {
  const { groups, delays, sitemaps } = readFile(text);
  const named = <Part extends { readonly robots: readonly string[] }>(parts: readonly Part[], name: string) =>
    parts.filter(({ robots }) => robots.includes(name));
  const name = robot.toLowerCase();
  const isNamed = named(groups, name).length + named(delays, name).length > 0;
  const chosen = isNamed ? name : "*";
  const rules = named(groups, chosen)
    .flatMap((group) => group.rules)
    .toSorted(longestFirst);
  return {
    allows(url) {
      const place = canonicalPlace(url.pathname + url.search);
      return rules.find(({ pattern }) => matches(place, pattern))?.isAllowed ?? true;
    },
    crawlDelayMs: named(delays, chosen)[0]?.delayMs ?? 0,
    sitemaps,
  };
}

function readFile(text: string): RobotsFile {
  const file: RobotsFile = { groups: [], delays: [], sitemaps: [] };
  let robots: string[] = [];
  let group: Group | undefined;
  for (const { name, value } of linesOf(text)) {
    if (name === "user-agent") {
      // Lines that follow each other name the robots of one group.
      if (group) robots = [];
      group = undefined;
      robots.push(productOf(value));
    } else if (name === "allow" || name === "disallow") {
      if (!group) file.groups.push((group = { robots, rules: [] }));
      addRule(group, name, value);
    } else if (name === "crawl-delay") {
      file.delays.push({ robots: [...robots], delayMs: delayOf(value) });
    } else if (name === "sitemap" && value !== "" && file.sitemaps.length < MAX_SITEMAPS) {
      file.sitemaps.push(value);
    }
  }
  return file;
}

function* linesOf(text: string): Iterable<{ readonly name: string; readonly value: string }> {
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/)) {
    const [, name, value = ""] = /^\s*([A-Za-z-]+)\s*:([^#]*)/.exec(line) ?? [];
    if (name !== undefined) yield { name: name.toLowerCase(), value: value.trim() };
  }
}

function addRule({ rules }: Group, name: "allow" | "disallow", pattern: string): void {
  if (pattern.length === 0 || pattern.length > MAX_PATTERN_LENGTH) return;
  rules.push({ isAllowed: name === "allow", pattern: canonicalPlace(pattern) });
}

/** Seconds, with decimals. */
function delayOf(value: string): number {
  const seconds = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : 0;
  return Math.min(seconds * 1000, MAX_CRAWL_DELAY_MS);
}

/** `Name/1.0 (something)` is the robot `name`. */
function productOf(value: string): string {
  return (/^\s*(\*|[A-Za-z_-]+)/.exec(value)?.[1] ?? "").toLowerCase();
}

function longestFirst(one: Rule, other: Rule): number {
  return other.pattern.length - one.pattern.length || Number(other.isAllowed) - Number(one.isAllowed);
}

/** Characters beyond ASCII encoded, and encodings in capitals, so that equal places are spelled equally. */
function canonicalPlace(text: string): string {
  return text
    .replace(/[^\u0021-\u007e]+/gu, (characters) => encodeURIComponent(characters))
    .replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
}

/**
 * `*` stands for anything, a final `$` for the end. Each piece is sought once, from where the one before ended: no
 * pattern, however odd, takes long.
 */
function matches(place: string, pattern: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...pieces] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  if (!place.startsWith(first)) return false;
  const last = isWhole ? pieces.pop() : undefined;
  let position = first.length;
  for (const piece of pieces) {
    const found = place.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  if (!isWhole) return true;
  if (last === undefined) return position === place.length;
  return place.length - last.length >= position && place.endsWith(last);
}
