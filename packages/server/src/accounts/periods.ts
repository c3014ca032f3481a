import type { Allowance } from "../api/teams.ts";

/** Start (UTC) of the calendar month that contains `timeMs`, or of the month `monthsLater` after it. */
export function monthStart(timeMs: number, monthsLater = 0): number {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater);
}

/** The calendar day or month (UTC) that contains a time. The end is exclusive. */
export function periodOf(
  period: Allowance["period"],
  timeMs: number,
): { readonly startMs: number; readonly endMs: number } {
  if (period === "month") return { startMs: monthStart(timeMs), endMs: monthStart(timeMs, 1) };
  const date = new Date(timeMs);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return { startMs: Date.UTC(year, month, day), endMs: Date.UTC(year, month, day + 1) };
}
