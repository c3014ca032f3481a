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

/** A pattern, cut at its wildcards. */
interface Rule {
  readonly isAllowed: boolean;
  /** Of the whole pattern: the longest that matches decides. */
  readonly length: number;
  readonly first: string;
  readonly pieces: readonly string[];
  /** What the place has to end with after a wildcard; undefined when anything may follow. */
  readonly last: string | undefined;
  /** Whether the place is `first`, and no more. */
  readonly isExact: boolean;
}

/** What the groups of one robot say. */
interface Said {
  isThere: boolean;
  characters: number;
  readonly rules: Rule[];
  delayMs: number | undefined;
}

/** Longer ones are not rules that people wrote. */
const MAX_PATTERN_LENGTH = 2000;
/** Rules of one robot, and what they have together: what comes later does not count. All are looked at for each link. */
const MAX_RULES = 1000;
const MAX_CHARACTERS = 100_000;
/** Longer delays are cut: a crawl that waits longer between two pages does not end. */
const MAX_CRAWL_DELAY_MS = 60_000;
const MAX_SITEMAPS = 1000;
const LINE = /^[^\S\r\n]*([a-z-]+)[^\S\r\n]*:([^#\r\n]*)/gim;

/**
 * Reads robots.txt for a robot, by its product token (RFC 9309): all groups that name it, else all groups for any
 * robot. The longest pattern that matches decides; of equals, the one that allows.
 */
export function parseRobots(text: string, robot: string): RobotsRules {
  const { own, anybody, sitemaps } = readFile(text, robot.toLowerCase());
  const { rules, delayMs = 0 } = own.isThere ? own : anybody;
  rules.sort(longestFirst);
  return {
    allows(url) {
      const place = canonicalPlace(url.pathname + url.search);
      return rules.find((rule) => matches(place, rule))?.isAllowed ?? true;
    },
    crawlDelayMs: delayMs,
    sitemaps,
  };
}

/** Keeps what is said to the robot and to any robot: others may be named without end. */
function readFile(text: string, robot: string) {
  const own: Said = { isThere: false, characters: 0, rules: [], delayMs: undefined };
  const anybody: Said = { ...own, rules: [] };
  const sitemaps: string[] = [];
  const named = new Set<Said>();
  let isNaming = false;
  for (const [, name = "", value = ""] of text.replace(/^\uFEFF/, "").matchAll(LINE)) {
    const field = name.toLowerCase();
    if (field === "user-agent") {
      // Lines that follow each other name the robots of one group.
      if (!isNaming) named.clear();
      isNaming = true;
      const product = productOf(value);
      if (product === robot) named.add(own);
      if (product === "*") named.add(anybody);
    } else if (field === "allow" || field === "disallow") {
      isNaming = false;
      for (const said of named) addRule(said, field === "allow", value.trim());
    } else if (field === "crawl-delay") {
      // It is not part of RFC 9309: such a line holds for the robots named last, and ends no list of names.
      for (const said of named) addDelay(said, value.trim());
    } else if (field === "sitemap" && value.trim() !== "" && sitemaps.length < MAX_SITEMAPS) {
      sitemaps.push(value.trim());
    }
  }
  return { own, anybody, sitemaps };
}

function addRule(said: Said, isAllowed: boolean, written: string): void {
  said.isThere = true;
  if (written.length === 0 || written.length > MAX_PATTERN_LENGTH) return;
  const pattern = canonicalPlace(written);
  said.characters += pattern.length;
  if (said.rules.length === MAX_RULES || said.characters > MAX_CHARACTERS) return;
  const isWhole = pattern.endsWith("$");
  const [first = "", ...pieces] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  const isExact = isWhole && pieces.length === 0;
  const last = isWhole ? pieces.pop() : undefined;
  said.rules.push({ isAllowed, length: pattern.length, first, pieces, last, isExact });
}

function addDelay(said: Said, value: string): void {
  said.isThere = true;
  said.delayMs ??= delayOf(value);
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
  return other.length - one.length || Number(other.isAllowed) - Number(one.isAllowed);
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
function matches(place: string, { first, pieces, last, isExact }: Rule): boolean {
  if (isExact) return place === first;
  if (!place.startsWith(first)) return false;
  let position = first.length;
  for (const piece of pieces) {
    const found = place.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return last === undefined || (place.length - last.length >= position && place.endsWith(last));
}
