/** What a site lets one robot visit. */
export interface RobotsRules {
  /** Whether the URL, of the site that the rules are from, may be visited. */
  allows(url: URL): boolean;
}

interface Rule {
  readonly isAllowed: boolean;
  readonly pattern: string;
}

interface Group {
  readonly robots: readonly string[];
  readonly rules: Rule[];
}

/** Longer ones are no rules that somebody wrote. */
const LONGEST_PATTERN = 4_096;

/**
 * Reads robots.txt for a robot, by its product token (RFC 9309): all groups that name it, else all groups for any
 * robot. The longest pattern that matches decides; of equals, the one that allows.
 */
export function parseRobots(text: string, robot: string): RobotsRules {
  const groups = [...groupsIn(text)];
  const own = groups.filter(({ robots }) => robots.includes(robot.toLowerCase()));
  const chosen = own.length > 0 ? own : groups.filter(({ robots }) => robots.includes("*"));
  const rules = chosen.flatMap((group) => group.rules).toSorted(longestFirst);
  return {
    allows(url) {
      const place = canonicalPlace(url.pathname + url.search);
      return rules.find(({ pattern }) => matches(place, pattern))?.isAllowed ?? true;
    },
  };
}

function* groupsIn(text: string): Iterable<Group> {
  let robots: string[] = [];
  let group: Group | undefined;
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/)) {
    const [, field = "", value = ""] = /^\s*([A-Za-z-]+)\s*:([^#]*)/.exec(line) ?? [];
    const name = field.toLowerCase();
    if (name === "user-agent") {
      // Lines that follow each other name the robots of one group.
      if (group) robots = [];
      group = undefined;
      robots.push(productOf(value));
    }
    if (name !== "allow" && name !== "disallow") continue;
    if (!group) {
      group = { robots, rules: [] };
      yield group;
    }
    const pattern = value.trim();
    const isRule = pattern.length > 0 && pattern.length <= LONGEST_PATTERN;
    if (isRule) group.rules.push({ isAllowed: name === "allow", pattern: canonicalPlace(pattern) });
  }
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
