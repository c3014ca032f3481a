import { LRUCache } from "lru-cache";

import { ServiceError } from "../../api/errors.ts";
import { SingleFlight, untilAborted } from "@pergamon-dev/kit/single-flight";
import { type Clock, systemClock } from "../../storage/clock/clock.ts";
import type { ScrapeJob } from "../../scrape/request/job.ts";
import { readSiteFile, type SiteFileOrder, type SiteFileServices } from "./site-file.ts";

/** Rules in a site's robots.txt for one robot (RFC 9309). */
export interface RobotsRules {
  /** False: the site has no robots.txt. */
  readonly isThere: boolean;
  /** Whether the URL may be visited. It must be on the site of the rules. */
  allows(url: URL): boolean;
  /** The rule that forbids the URL, as written. Undefined when it may be visited. */
  ruleAgainst(url: URL): string | undefined;
  /** Minimum time between the starts of two visits. 0 when the site does not set it. */
  readonly crawlDelayMs: number;
  /** Addresses of sitemaps, as written in the file. */
  readonly sitemaps: readonly string[];
}

interface RobotsOrder extends Pick<SiteFileOrder, "job"> {
  /** Rules are remembered for each asker and origin, because the headers of its requests may change them. */
  readonly asker: string;
  /** Robot name that the request sends. Default: the name of this service. */
  readonly agent?: string | undefined;
  /** Time for which a silent site is asked again. Default: 0, which asks once. */
  readonly patienceMs?: number;
  readonly ignoresCache?: boolean;
}

/**
 * Thrown when a site does not return its rules. None of its pages may be visited then (RFC 9309, section
 * 2.3.1.4).
 */
export class RobotsUnreachable extends Error {
  override readonly name = "RobotsUnreachable";
}

/** Time for which crawls ask a silent site. */
export const CRAWL_PATIENCE_MS = 5 * 60_000;
/** Robots must read at least this much (RFC 9309, section 2.5). */
const MAX_ROBOTS_BYTES = 500 * 1024;
const TIMEOUT_MS = 10_000;
/** The page cache and then memory keep rules for a day in total, which RFC 9309 allows. */
const MAX_COPY_AGE_MS = 23 * 60 * 60 * 1000;
const MEMORY_MS = 60 * 60 * 1000;
const MAX_REMEMBERED = 2000;
const MAX_REMEMBERED_BYTES = 32 * 1024 * 1024;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
/** Rules of a site without robots.txt. */
const ALLOWS_ALL: RobotsRules = {
  isThere: false,
  allows: () => true,
  ruleAgainst: () => undefined,
  crawlDelayMs: 0,
  sitemaps: [],
};

interface Remembered {
  /** Undefined: the site did not answer for as long as it was asked. */
  readonly rules: RobotsRules | undefined;
  readonly sizeBytes: number;
  readonly askedAtMs: number;
}

/** Rules of sites. Each site is asked once at a time, and its rules are remembered. */
export class Robots {
  readonly #services: SiteFileServices;
  readonly #agent: string;
  readonly #clock: Clock;
  readonly #asking = new SingleFlight<RobotsRules>();
  readonly #remembered = new LRUCache<string, Remembered>({
    max: MAX_REMEMBERED,
    maxSize: MAX_REMEMBERED_BYTES,
    sizeCalculation: ({ sizeBytes }) => sizeBytes + 1,
  });

  /** @param agent product token of this service. */
  constructor(services: SiteFileServices, agent: string, clock = systemClock) {
    this.#services = services;
    this.#agent = agent;
    this.#clock = clock;
  }

  /** Returns the rules if they were read recently. */
  known(origin: string, asker: string): RobotsRules | undefined {
    return this.#fresh(keyOf(origin, asker))?.rules;
  }

  /**
   * Returns remembered rules of a site, or reads them now.
   * @throws RobotsUnreachable; the signal's reason, once it is aborted.
   */
  async rulesOf(origin: string, order: RobotsOrder, signal: AbortSignal): Promise<RobotsRules> {
    const key = keyOf(origin, order.asker);
    const fresh = this.#fresh(key);
    if (fresh && !fresh.rules) throw unreachable(origin);
    return fresh?.rules ?? this.#asking.join(key, signal, (until) => this.#ask(origin, order, until));
  }

  /**
   * Checks a page in safe mode.
   * @throws ServiceError SAFE_MODE_BLOCKED unless the site allows the page of the job.
   */
  async refuse(job: ScrapeJob, signal: AbortSignal): Promise<void> {
    const { visit } = job.plan;
    const url = new URL(visit.url);
    // The caller's headers are only sent to the page, so that these rules serve all callers.
    const plan = { ...job.plan, visit: { ...visit, headers: {} } };
    const asker = visit.skipTlsVerification ? "unverified" : "";
    const isAllowed = await this.rulesOf(url.origin, { job: { ...job, plan }, asker }, signal).then(
      (rules) => rules.allows(url),
      (failure: unknown) => {
        if (failure instanceof RobotsUnreachable) return false;
        throw failure;
      },
    );
    if (isAllowed) return;
    const message = "Safe mode respects robots.txt, which does not allow this page.";
    throw new ServiceError("SAFE_MODE_BLOCKED", { message });
  }

  #fresh(key: string): Remembered | undefined {
    const known = this.#remembered.get(key);
    return known && this.#clock.now() - known.askedAtMs < MEMORY_MS ? known : undefined;
  }

  async #ask(origin: string, order: RobotsOrder, signal: AbortSignal): Promise<RobotsRules> {
    const { patienceMs = 0 } = order;
    const key = keyOf(origin, order.asker);
    const overAtMs = this.#clock.now() + patienceMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      const told = (await this.#read(origin, order, signal)) ?? this.#remembered.get(key);
      const askedAtMs = this.#clock.now();
      if (told?.rules) {
        this.#remembered.set(key, { ...told, askedAtMs });
        return told.rules;
      }
      if (askedAtMs + pauseMs > overAtMs) {
        if (patienceMs > 0) this.#remembered.set(key, { rules: undefined, sizeBytes: 0, askedAtMs });
        throw unreachable(origin);
      }
      await this.#pause(pauseMs, signal);
    }
  }

  /** Undefined when the site does not answer. */
  async #read(origin: string, order: RobotsOrder, signal: AbortSignal) {
    const { job, agent, ignoresCache = false } = order;
    const file = {
      job,
      timeoutMs: TIMEOUT_MS,
      maxAgeMs: ignoresCache ? 0 : MAX_COPY_AGE_MS,
      userAgent: agent,
    };
    const found = await readSiteFile(`${origin}/robots.txt`, file, this.#services, signal);
    if (found.state === "unreachable") return undefined;
    if (found.state === "missing") return { rules: ALLOWS_ALL, sizeBytes: 0 };
    const body = found.body.subarray(0, MAX_ROBOTS_BYTES);
    return { rules: parseRobots(body, agent ?? this.#agent), sizeBytes: body.byteLength };
  }

  async #pause(durationMs: number, signal: AbortSignal): Promise<void> {
    let cancel: (() => void) | undefined;
    const over = new Promise<void>((resolve) => {
      cancel = this.#clock.after(durationMs, resolve);
    });
    await untilAborted(over, signal).finally(cancel);
  }
}

function keyOf(origin: string, asker: string): string {
  return `${asker} ${origin}`;
}

function unreachable(origin: string): RobotsUnreachable {
  return new RobotsUnreachable(`The robots.txt of ${origin} could not be read.`);
}

/** A pattern, split at its wildcards. */
interface Rule {
  readonly isAllowed: boolean;
  readonly written: string;
  /** Length of the whole pattern. The longest matching pattern decides. */
  readonly length: number;
  readonly first: string;
  readonly pieces: readonly string[];
  /** Required end of the path after a wildcard. Undefined when anything may follow. */
  readonly last: string | undefined;
  /** Whether the path must equal `first`. */
  readonly isExact: boolean;
}

/** Contents of the groups of one robot. */
interface Said {
  isThere: boolean;
  characters: number;
  readonly rules: Rule[];
  delayMs: number | undefined;
}

/** Longer patterns are not written by people. */
const MAX_PATTERN_LENGTH = 2000;
/**
 * Limits for one robot: number of rules, and their total length. Later rules are ignored. All rules are
 * checked for each link.
 */
const MAX_RULES = 1000;
const MAX_CHARACTERS = 100_000;
/** Longer delays are cut, because a crawl with longer pauses would not end. */
const MAX_CRAWL_DELAY_MS = 60_000;
const MAX_SITEMAPS = 1000;
/** Without a colon, a line needs exactly one value: `disallow /x`, as the large search engines read it. */
const LINE =
  /^[^\S\r\n]*(user[ -]?agent|[a-z-]+)(?:[^\S\r\n]*:|[^\S\r\n]+(?=[^\s#:]+[^\S\r\n]*(?:[#\r\n]|$)))([^#\r\n]*)/gim;
/** Slips that the large search engines forgive. */
const MISSPELLED: ReadonlyMap<string, string> = new Map([
  ["useragent", "user-agent"],
  ["user agent", "user-agent"],
  ...["dissallow", "dissalow", "disalow", "diasllow", "disallaw"].map((slip) => [slip, "disallow"] as const),
  ["site-map", "sitemap"],
]);

/**
 * Reads robots.txt for a robot, by its product token (RFC 9309). All groups that name the robot apply, else
 * all groups for any robot. The longest matching pattern decides. Of equally long ones, the one that allows
 * wins.
 */
export function parseRobots(file: Uint8Array, robot: string): RobotsRules {
  const { own, anybody, sitemaps } = readGroups(decode(file), productOf(robot));
  const { rules, delayMs = 0 } = own.isThere ? own : anybody;
  rules.sort(longestFirst);
  const ruleAgainst = (url: URL) => {
    if (url.pathname === "/robots.txt") return undefined;
    // The signs that patterns use mean themselves in a URL. Patterns write them as escapes.
    const place = canonicalPlace(url.pathname + url.search).replace(/[*$]/g, (sign) =>
      sign === "*" ? "%2A" : "%24",
    );
    const rule = rules.find((one) => matches(place, one));
    return rule && !rule.isAllowed ? `Disallow: ${rule.written}` : undefined;
  };
  return {
    isThere: true,
    allows: (url) => ruleAgainst(url) === undefined,
    ruleAgainst,
    crawlDelayMs: delayMs,
    sitemaps,
  };
}

/** Decodes UTF-16 with a byte order mark, else UTF-8. */
function decode(file: Uint8Array): string {
  const mark = (file[0] ?? 0) * 256 + (file[1] ?? 0);
  return new TextDecoder(UTF_16[mark] ?? "utf-8").decode(file);
}

const UTF_16: Partial<Record<number, string>> = { 0xfffe: "utf-16le", 0xfeff: "utf-16be" };

/** Reads only groups for the robot and for any robot, because a file may name any number of others. */
function readGroups(text: string, robot: string) {
  const own: Said = { isThere: false, characters: 0, rules: [], delayMs: undefined };
  const anybody: Said = { ...own, rules: [] };
  const sitemaps: string[] = [];
  const named = new Set<Said>();
  let isNaming = false;
  for (const [, name = "", value = ""] of text.matchAll(LINE)) {
    const written = name.toLowerCase();
    const field = MISSPELLED.get(written) ?? written;
    if (field === "user-agent") {
      // Consecutive lines name the robots of one group.
      if (!isNaming) named.clear();
      isNaming = true;
      const product = productOf(value);
      // A robot that is named with no rules may visit everything (RFC 9309, section 5.1).
      if (product === robot) {
        named.add(own);
        own.isThere = true;
      }
      if (product === "*") named.add(anybody);
    } else if (field === "allow" || field === "disallow") {
      isNaming = false;
      for (const said of named) addRule(said, field === "allow", value.trim());
    } else if (field === "crawl-delay") {
      // Crawl-delay is not part of RFC 9309. It applies to the robots named last, and does not end their list
      // of names.
      for (const said of named) addDelay(said, value.trim());
    } else if (field === "sitemap" && value.trim() !== "" && sitemaps.length < MAX_SITEMAPS) {
      sitemaps.push(value.trim());
    }
  }
  return { own, anybody, sitemaps };
}

function addRule(said: Said, isAllowed: boolean, written: string): void {
  if (written.length === 0 || written.length > MAX_PATTERN_LENGTH) return;
  const pattern = canonicalPlace(written);
  said.characters += pattern.length;
  if (said.rules.length === MAX_RULES || said.characters > MAX_CHARACTERS) return;
  const isWhole = pattern.endsWith("$");
  const [first = "", ...pieces] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  const isExact = isWhole && pieces.length === 0;
  const last = isWhole ? pieces.pop() : undefined;
  said.rules.push({ isAllowed, written, length: pattern.length, first, pieces, last, isExact });
}

function addDelay(said: Said, value: string): void {
  said.delayMs ??= delayOf(value);
}

/** Parses seconds, with decimals. */
function delayOf(value: string): number {
  const seconds = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : 0;
  return Math.min(seconds * 1000, MAX_CRAWL_DELAY_MS);
}

/** `Name/1.0 (something)` is the robot `name`. Names have digits, too, although RFC 9309 forbids them. */
function productOf(value: string): string {
  return (/^\s*(\*|[\w-]+)/.exec(value)?.[1] ?? "").toLowerCase();
}

function longestFirst(one: Rule, other: Rule): number {
  return other.length - one.length || Number(other.isAllowed) - Number(one.isAllowed);
}

/**
 * Normalises paths (RFC 9309, section 2.2.2). Characters that URLs do not allow are encoded, unreserved ones
 * are not, and escapes are in capitals.
 */
function canonicalPlace(text: string): string {
  return text
    .replace(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]+/gu, (characters) => encodeURIComponent(characters))
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const character = String.fromCharCode(parseInt(code.slice(1), 16));
      return /[\w\-.~]/.test(character) ? character : code.toUpperCase();
    });
}

/**
 * `*` matches anything, and a final `$` the end. Each piece is searched once, from the end of the previous
 * one, so no pattern takes long.
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
