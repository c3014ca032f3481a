import { lazy } from "@pergamon-dev/kit/lazy";

const LANGUAGES = "en de fr es it pt nl pl sv da nb fi cs sk hu ro tr ru uk el bg hr id vi ca".split(" ");

/** Month names in many languages → month. Names that mean different months in two languages are left out. */
const MONTHS = lazy((): ReadonlyMap<string, number> => {
  const months = new Map<string, number>();
  for (const [name, month] of LANGUAGES.flatMap(monthsOf)) {
    const known = months.get(name);
    months.set(name, known === undefined || known === month ? month : 0);
  }
  return months;
});

function monthsOf(language: string): readonly (readonly [name: string, month: number])[] {
  return Array.from({ length: 12 }, (_, index) => index + 1).flatMap((month) =>
    namesOf(language, month)
      .filter((name) => name.length >= 3 && !/\d/.test(name))
      .map((name) => [name, month] as const),
  );
}

function namesOf(language: string, month: number): readonly string[] {
  const date = new Date(Date.UTC(2001, month - 1, 15));
  const parts: Intl.DateTimeFormatOptions[] = [
    { month: "long" },
    { month: "short" },
    { month: "long", day: "numeric" },
    { month: "short", day: "numeric" },
  ];
  return parts.map((options) => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC", calendar: "gregory" });
    const part = format.formatToParts(date).find(({ type }) => type === "month");
    return foldedName(part?.value ?? "");
  });
}

function foldedName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(".", "")
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "");
}

/** A date, or just a month or year. */
export interface ReadDate {
  readonly year: number;
  readonly month: number | undefined;
  readonly day: number | undefined;
  /** As written on the page. */
  readonly text: string;
}

const YEAR = String.raw`(?<year>(?:1[6-9]|20)\d\d)`;
const DAY = String.raw`(?<day>[0-3]?\d)`;
const NAME = String.raw`(?<name>\p{L}[\p{L}\p{M}]{2,11})\.?`;
const START = String.raw`(?<![\p{L}\d])`;
const END = String.raw`(?!\d)`;

/** One line per date format, most specific first. */
const WAYS: readonly RegExp[] = [
  `${START}${YEAR}-(?<month>[01]?\\d)-${DAY}${END}`,
  `${START}${YEAR}\\s?年\\s?(?<month>[01]?\\d)\\s?月\\s?${DAY}\\s?日`,
  `${START}${YEAR}\\s?년\\s?(?<month>[01]?\\d)\\s?월\\s?${DAY}\\s?일`,
  `${START}${YEAR}[./](?<month>[01]?\\d)[./]${DAY}${END}`,
  `${START}${DAY}(?:st|nd|rd|th|er|\\.|º|ª)?(?:\\s+(?:de|of|d['’]))?[\\s\\-./]*${NAME}[\\s,\\-./]*(?:(?:de|del)\\s+)?${YEAR}${END}`,
  `${START}${NAME}\\s{0,3}${DAY}(?:st|nd|rd|th)?,?\\s{1,3}${YEAR}${END}`,
  `${START}${DAY}(?<mark>[./-])(?<month>[01]?\\d)\\k<mark>${YEAR}${END}`,
  `${START}${NAME},?(?:\\s+(?:de|of))?\\s{1,3}${YEAR}${END}`,
  `${START}(?<month>[01]?\\d)/${YEAR}${END}`,
].map((way) => new RegExp(way, "iu"));

const MAX_LENGTH = 400;

/**
 * The first date in a short text, in any of about two dozen languages. Undefined if there is none.
 * @param isMonthFirst - whether `03/04/2024` is the fourth of March to readers of the page
 */
export function readDate(text: string, isMonthFirst = false): ReadDate | undefined {
  const short = text.slice(0, MAX_LENGTH);
  for (const way of WAYS) {
    const match = way.exec(short);
    const date = match?.groups && dateOf(match.groups, match[0]);
    if (date)
      return isMonthFirst && /^[/-]$/.test(match.groups?.["mark"] ?? "") ? withMonthFirst(date) : date;
  }
  return undefined;
}

function withMonthFirst(date: ReadDate): ReadDate {
  const { month, day = 13, text } = date;
  const isWrittenFirst = new RegExp(`^0?${day}[/-]`, "u").test(text);
  return isWrittenFirst && day <= 12 ? { ...date, month: day, day: month } : date;
}

/** Whether people who read this language write the month before the day. */
export function writesMonthFirst(language: string): boolean {
  return /^(?:[a-z]{2,3}[-_](?:US|PH|PR|FM)|fil|chr|haw)(?:[-_]|$)/i.test(language);
}

function dateOf(groups: Readonly<Record<string, string | undefined>>, text: string): ReadDate | undefined {
  const year = Number(groups["year"]);
  const month =
    groups["name"] === undefined ? Number(groups["month"]) : MONTHS().get(foldedName(groups["name"]));
  const day = groups["day"] === undefined ? undefined : Number(groups["day"]);
  if (month === undefined || month < 1) return undefined;
  // The month comes first, as in the United States.
  if (month > 12 && day !== undefined && day <= 12) return { year, month: day, day: month, text };
  if (month > 12 || day === 0 || (day ?? 1) > 31) return undefined;
  return { year, month, day, text };
}

/** ISO 8601 date, year-month or year. */
export function isoDate({ year, month, day }: ReadDate): string {
  const parts = [String(year), month, day].filter((part) => part !== undefined);
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}
