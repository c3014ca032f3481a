import { LRUCache } from "lru-cache";

/** Formatters show the local time of a moment. They are slow to create, so they are cached. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 200 });
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

export function isTimeZone(zone: string): boolean {
  try {
    formatterOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** Local time of a moment in the zone, as the milliseconds at which a clock in UTC shows the same. */
export function clockTime(zone: string, momentMs: number): number {
  if (zone === "UTC") return Math.floor(momentMs / SECOND_MS) * SECOND_MS;
  const parts = formatterOf(zone).formatToParts(momentMs);
  const number = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value ?? 0);
  const [year, month, day] = [number("year"), number("month") - 1, number("day")];
  return Date.UTC(year, month, day, number("hour"), number("minute"), number("second"));
}

/**
 * The moment at which clocks in the zone show a time. If there are two, it is the first; if clocks skip the
 * time, it is the first moment after the gap.
 */
export function momentOf(zone: string, clockMs: number): number {
  const offsets = [clockMs - DAY_MS, clockMs + DAY_MS].map((nearMs) => clockTime(zone, nearMs) - nearMs);
  const moments = offsets.map((offsetMs) => clockMs - offsetMs);
  const shown = moments.filter((momentMs) => clockTime(zone, momentMs) === clockMs);
  return shown.length > 0 ? Math.min(...shown) : firstAfter(zone, clockMs, moments);
}

/** Finds the moment between the given ones at which clocks jump from before the time to after it. */
function firstAfter(zone: string, clockMs: number, moments: readonly number[]): number {
  let [before, after] = [Math.min(...moments), Math.max(...moments)];
  while (after - before > MINUTE_MS) {
    const middle = Math.floor((before + after) / 2 / MINUTE_MS) * MINUTE_MS;
    if (middle <= before) break;
    if (clockTime(zone, middle) > clockMs) after = middle;
    else before = middle;
  }
  return after;
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formatters.set(zone, made);
  return made;
}
