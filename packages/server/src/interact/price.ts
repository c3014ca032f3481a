import { credits } from "../api/credits.ts";

const MINUTE_MS = 60_000;

/** Credits per minute. One prompt raises the price of the whole session. */
export function creditsPerMinute(isPrompted: boolean): number {
  return isPrompted ? credits.promptedMinute : credits.sessionMinute;
}

/** Price of a session in whole credits, rounded up. It is billed by the second, for at least a minute. */
export function priceOfSession(durationMs: number, isPrompted: boolean): number {
  const seconds = Math.ceil(Math.max(durationMs, MINUTE_MS) / 1000);
  return Math.ceil((seconds * creditsPerMinute(isPrompted)) / 60);
}
