import { signal } from "@preact/signals";

import { scrapeIdOf } from "../../answers/document.ts";
import type { RequestBody } from "../../client/post.ts";
import type { Outcome } from "./run.ts";

/** A run of the playground. Headers are left out of its request: they may be secrets. */
export interface HistoryEntry {
  /** Of the request in the log; undefined for runs that the log does not have. */
  readonly id: string | undefined;
  readonly at: string;
  readonly body: RequestBody;
  /** Status of the page, or the code of the failure. */
  readonly result: string;
  readonly isGood: boolean;
  readonly durationMs: number;
  readonly creditsUsed: number;
}

const STORE = "pergamon.playground.history";
const MAX_ENTRIES = 20;
/** A longer request fills the browser's store. */
const MAX_CHARACTERS = 20_000;

/** The last runs of this browser, newest first. */
export const history = signal<readonly HistoryEntry[]>(readHistory());

/** Keeps a run. Requests that must not be kept are left out. */
export function remember(body: RequestBody, outcome: Outcome): void {
  if (body["zeroDataRetention"] === true || body["lockdown"] === true) return;
  const { headers: _headers, ...kept } = body;
  if (JSON.stringify(kept).length > MAX_CHARACTERS) return;
  const { document, problem, durationMs } = outcome;
  const status = Number(document?.metadata?.["statusCode"] ?? 0);
  const entry: HistoryEntry = {
    id: document && scrapeIdOf(document),
    at: new Date().toISOString(),
    body: kept,
    result: problem ? (problem.code ?? String(problem.status)) : String(status),
    isGood: problem === undefined && status < 400,
    durationMs,
    creditsUsed: Number(document?.metadata?.["creditsUsed"] ?? 0),
  };
  store([entry, ...history.peek()].slice(0, MAX_ENTRIES));
}

export function forgetHistory(): void {
  store([]);
}

function store(entries: readonly HistoryEntry[]): void {
  history.value = entries;
  try {
    localStorage.setItem(STORE, JSON.stringify(entries));
  } catch {
    // A browser without room forgets it with this page.
  }
}

function readHistory(): readonly HistoryEntry[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORE) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isEntry).slice(0, MAX_ENTRIES) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is HistoryEntry {
  if (typeof value !== "object" || value === null) return false;
  const { body, at, result, durationMs } = value as Partial<Record<keyof HistoryEntry, unknown>>;
  return (
    typeof body === "object" &&
    body !== null &&
    typeof at === "string" &&
    !Number.isNaN(Date.parse(at)) &&
    typeof result === "string" &&
    typeof durationMs === "number"
  );
}
