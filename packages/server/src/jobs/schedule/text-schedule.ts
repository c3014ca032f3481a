import { refusal } from "./cron-fields.ts";

const UNSUPPORTED =
  "Unsupported schedule text. Try phrases like 'every 30 minutes', 'hourly', or 'daily at 9:00'";
const HOUR = 60;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** @returns undefined when the words are valid but the numbers are not. */
type ToCron = (numbers: readonly (string | undefined)[], spread: Spread) => string | undefined;
/** Returns a whole number below the given one, the same each time. */
type Spread = (below: number) => number;

/** Phrases of schedules, and their cron expressions. Runs without a named minute are spread. */
const phrases: readonly (readonly [RegExp, ToCron])[] = [
  [/^every (\d{1,2}) minutes?(?: starting at :(\d{2}))?$/, everyMinutes],
  [/^(?:hourly|every hour)(?: at :(\d{2}))?$/, ([minute], spread) => hours(1, minute, spread)],
  [/^every (\d{1,2}) hours?$/, ([count], spread) => hours(Number(count), undefined, spread)],
  [/^(?:daily|every day)(?: at (\d{1,2})(?::(\d{2}))? ?(am|pm)?)?$/, daily],
  [/^(?:weekly|every week)$/, (_numbers, spread) => weekly(spread(WEEK))],
];

/**
 * The cron expression of a schedule in words (contract of the families, section 9.1).
 * @param seed spreads the runs: another seed gives another expression for the same text.
 * @throws ServiceError BAD_REQUEST for other words.
 */
export function cronOfText(text: string, seed: string): string {
  const words = text.toLowerCase().replaceAll(/[.,]/g, "").trim().replaceAll(/\s+/g, " ");
  const spread: Spread = (below) => hashOf(seed) % below;
  for (const [pattern, toCron] of phrases) {
    const match = pattern.exec(words);
    const cron = match && toCron(match.slice(1), spread);
    if (cron) return cron;
  }
  throw refusal(UNSUPPORTED);
}

function everyMinutes([count, start]: readonly (string | undefined)[], spread: Spread): string | undefined {
  const minutes = Number(count);
  if (minutes < 1 || HOUR % minutes !== 0) return undefined;
  const first = start === undefined ? spread(minutes) : Number(start);
  if (first >= HOUR) return undefined;
  if (minutes === HOUR) return `${first} * * * *`;
  return first === 0 ? `*/${minutes} * * * *` : `${minuteList(first % minutes, minutes)} * * * *`;
}

function minuteList(first: number, step: number): string {
  return Array.from({ length: HOUR / step }, (_, index) => first + index * step).join(",");
}

function hours(count: number, minute: string | undefined, spread: Spread): string | undefined {
  if (count < 1 || 24 % count !== 0) return undefined;
  const at = spread(count * HOUR);
  const past = minute === undefined ? at % HOUR : Number(minute);
  if (past >= HOUR) return undefined;
  if (count === 1) return `${past} * * * *`;
  const first = Math.floor(at / HOUR);
  if (count === 24) return `${past} ${first} * * *`;
  return first === 0 ? `${past} */${count} * * *` : `${past} ${first}-23/${count} * * *`;
}

function daily([hour, minute, half]: readonly (string | undefined)[], spread: Spread): string | undefined {
  if (hour === undefined) {
    const at = spread(DAY);
    return `${at % HOUR} ${Math.floor(at / HOUR)} * * *`;
  }
  const [at, past] = [Number(hour), Number(minute ?? 0)];
  if (past >= HOUR || (half === undefined ? at > 23 : at < 1 || at > 12)) return undefined;
  const inDay = half === undefined ? at : (at % 12) + (half === "pm" ? 12 : 0);
  return `${past} ${inDay} * * *`;
}

function weekly(at: number): string {
  return `${at % HOUR} ${Math.floor(at / HOUR) % 24} * * ${Math.floor(at / DAY)}`;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
