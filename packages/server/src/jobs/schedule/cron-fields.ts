import { ServiceError } from "../../api/errors.ts";

/** The five fields of a cron expression, in order. */
const FIELDS = [
  { name: "minute", least: 0, most: 59 },
  { name: "hour", least: 0, most: 23 },
  { name: "day of month", least: 1, most: 31 },
  { name: "month", least: 1, most: 12 },
  // 0 and 7 both mean Sunday.
  { name: "day of week", least: 0, most: 7 },
] as const;
type Field = (typeof FIELDS)[number];

/** Values of each field, ascending. */
export type CronFields = readonly (readonly number[])[];

/**
 * Parses `*`, numbers, ranges and lists, each with an optional step (`/n`).
 * @throws ServiceError BAD_REQUEST in the words of the interface (contract of the families, section 9.1).
 */
export function cronFields(expression: string): CronFields {
  const texts = expression.trim().split(/\s+/);
  if (texts.length !== FIELDS.length) throw refusal("Cron expression must contain five fields");
  return FIELDS.map((field, index) => {
    const values = (texts[index] ?? "").split(",").flatMap((part) => valuesOf(part, field));
    return [...new Set(values)].toSorted((one, other) => one - other);
  });
}

/** Maximum number of days of each month. */
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether one of the months can have one of the days. */
export function hasDate([, , days = [], months = []]: CronFields): boolean {
  return months.some((month) => days.some((day) => day <= (MONTH_DAYS[month - 1] ?? 0)));
}

export function refusal(message: string): ServiceError {
  return new ServiceError("BAD_REQUEST", { message });
}

function valuesOf(part: string, field: Field): readonly number[] {
  const [range = "", stepText, ...rest] = part.split("/");
  if (rest.length > 0) throw refusal("Invalid cron field");
  const step = stepText === undefined ? 1 : stepOf(stepText);
  const [first, last] = boundsOf(range, stepText !== undefined, field);
  const values: number[] = [];
  for (let value = first; value <= last; value += step) values.push(value);
  return values;
}

function stepOf(text: string): number {
  const step = wholeNumber(text);
  if (step === undefined || step < 1) throw refusal("Invalid cron step");
  return step;
}

/** A single number with a step begins a range up to the end of the field. */
function boundsOf(range: string, hasStep: boolean, { least, most }: Field): readonly [number, number] {
  if (range === "*") return [least, most];
  const [firstText = "", lastText, ...rest] = range.split("-");
  const first = wholeNumber(firstText);
  const last = lastText === undefined ? (hasStep ? most : first) : wholeNumber(lastText);
  const isKnown = first !== undefined && last !== undefined && rest.length === 0;
  if (!isKnown || first < least || last > most || first > last) throw refusal("Invalid cron field");
  return [first, last];
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}
