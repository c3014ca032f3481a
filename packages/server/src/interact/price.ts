import { credits } from "../api/credits.ts";

const MINUTE_MS = 60_000;

/** Credits of each minute. One prompt makes it the price of the whole session. */
export function creditsPerMinute(isPrompted: boolean): number {
  return isPrompted ? credits.promptedMinute : credits.sessionMinute;
}

/** What a session costs that took so long: by the second, at least a minute, in whole credits, rounded up. */
export function priceOfSession(durationMs: number, isPrompted: boolean): number {
  const seconds = Math.ceil(Math.max(durationMs, MINUTE_MS) / 1000);
  return Math.ceil((seconds * creditsPerMinute(isPrompted)) / 60);
}
