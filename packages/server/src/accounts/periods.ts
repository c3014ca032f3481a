import type { Allowance } from "../api/teams.ts";

/** First instant of a calendar month, UTC: of the month of `timeMs`, or of one that many months later. */
export function monthStart(timeMs: number, monthsLater = 0): number {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater);
}

/** The calendar day or month of a time, UTC. The end is the first instant of the next one. */
export function periodOf(
  period: Allowance["period"],
  timeMs: number,
): { readonly startMs: number; readonly endMs: number } {
  if (period === "month") return { startMs: monthStart(timeMs), endMs: monthStart(timeMs, 1) };
  const date = new Date(timeMs);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return { startMs: Date.UTC(year, month, day), endMs: Date.UTC(year, month, day + 1) };
}
