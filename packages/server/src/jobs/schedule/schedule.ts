import { Cron } from "croner";
import { LRUCache } from "lru-cache";
import { atMost } from "@pergamon-dev/kit/at-most";
import { type CronFields, cronFields, hasDate, refusal } from "./cron-fields.ts";

/** Formatters show the local time of a moment. They are slow to create, so they are cached. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 200 });
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** Times at which something is repeated. */
export interface Schedule {
  /** Five fields. A date must match both the day of the month and the day of the week. */
  readonly cron: string;
  /** IANA name of the time zone. */
  readonly timezone: string;
}

const LEAST_GAP_MS = 5 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 366 * DAY_MS;
/** After 25 hours the times of a day repeat. */
const GAPS_WITHIN_MS = 25 * HOUR_MS;

const patterns = new LRUCache<string, Cron>(atMost(2000));

/**
 * @param nowMs the schedule has to be valid from this time on.
 * @throws ServiceError BAD_REQUEST for a schedule that is invalid, never happens, or happens too often.
 */
export function checkSchedule(schedule: Schedule, nowMs: number): void {
  const fields = cronFields(schedule.cron);
  if (!isTimeZone(schedule.timezone))
    throw refusal(`Invalid monitor schedule timezone: ${schedule.timezone}`);
  // Searching for a date that does not exist takes long.
  const first = hasDate(fields) ? nextRun(schedule, nowMs) : undefined;
  if (first === undefined || first - nowMs > YEAR_MS)
    throw refusal("Cron expression did not produce a run within one year");
  refuseFrequent(patternOf(schedule.cron), clockTime(schedule.timezone, nowMs));
}

/** The first run after a moment. Undefined when there is none in the next years. */
export function nextRun({ cron, timezone }: Schedule, afterMs: number): number | undefined {
  const pattern = patternOf(cron);
  let clockMs = clockTime(timezone, afterMs);
  for (;;) {
    const next = pattern.nextRun(new Date(clockMs))?.getTime();
    if (next === undefined) return undefined;
    const momentMs = momentOf(timezone, next);
    if (momentMs > afterMs) return momentMs;
    // The clocks were set back, so this time has passed already.
    clockMs = next;
  }
}

/** Maximum number of runs within that many days, counted from a moment on. */
export function runsWithin(schedule: Schedule, { fromMs, days }: { fromMs: number; days: number }): number {
  const first = nextRun(schedule, fromMs);
  const second = first === undefined ? undefined : nextRun(schedule, first);
  if (first === undefined || second === undefined) return first === undefined ? 0 : 1;
  return Math.ceil((days * DAY_MS) / (second - first));
}

/** Checks on a clock that is never changed. */
function refuseFrequent(pattern: Cron, clockMs: number): void {
  const first = pattern.nextRun(new Date(clockMs))?.getTime() ?? 0;
  let last = first;
  for (;;) {
    const next = pattern.nextRun(new Date(last))?.getTime();
    if (next === undefined) return;
    if (next - last < LEAST_GAP_MS)
      throw refusal("Monitor schedule must not run more often than every 5 minutes");
    if (next - first > GAPS_WITHIN_MS) return;
    last = next;
  }
}

/** Finds times on clocks that are never changed. `momentOf` applies the time zone. */
function patternOf(cron: string): Cron {
  const known = patterns.get(cron);
  if (known) return known;
  const made = new Cron(textOf(cronFields(cron)), { mode: "5-part", timezone: "UTC", domAndDow: true });
  patterns.set(cron, made);
  return made;
}

function textOf(fields: CronFields): string {
  return fields.map((values) => values.join(",")).join(" ");
}

function isTimeZone(zone: string): boolean {
  try {
    formatterOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** Local time of a moment in the zone, as the milliseconds at which a clock in UTC shows the same. */
function clockTime(zone: string, momentMs: number): number {
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
function momentOf(zone: string, clockMs: number): number {
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
