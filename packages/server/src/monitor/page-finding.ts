import { sha256Hex } from "@pergamon-dev/kit/hash";
import { isJsonObject, textOf } from "@pergamon-dev/kit/json";
import type { ScrapeData } from "../scrape/answer/schema.ts";
import type { PageFailure } from "../jobs/page-rows.ts";
import type { NewPage } from "./check-pages.ts";
import { comparePage, snapshotOf } from "./compare-page.ts";
import type { CheckWork } from "./check-work.ts";
import type { MonitorServices } from "./services.ts";
import type { NewState, PageState, Snapshot, StateName } from "./page-states.ts";
import { hasValues, productValues, withinThreshold } from "./target-values.ts";
import type { TrackedOptions } from "./tracked-options.ts";
import type { ScrapeTarget, Target } from "./targets.ts";

/** Result for a page before it is stored. */
export interface Finding {
  readonly name: StateName;
  /** Undefined when the page counts as not met. */
  readonly page: NewPage | undefined;
  /** Undefined: the known state stays. */
  readonly state?: NewState | "forgotten" | undefined;
  readonly isMissed?: boolean | undefined;
  /** Blob that nothing refers to once the result is written. */
  readonly outdatedBlobId?: string | undefined;
}

const NO_VALUES = "The page shows nothing of what is watched.";
const SAME: Awaited<ReturnType<typeof comparePage>> = { status: "same" };
const GONE: ReadonlySet<number> = new Set([404, 410]);
const FIRST_FAILURE = 400;
/** Metadata of a page that lists show. */
const SHOWN = ["title", "description", "sourceURL", "url", "contentType", "scrapeId", "creditsUsed"] as const;
const MAX_SHOWN_LENGTH = 2000;

/** A page of a check, with its origin. */
interface MetPage {
  readonly work: Pick<CheckWork, "check" | "signal" | "plan"> & { readonly target: Target };
  readonly url: string;
  /** True: a crawl should have met the page but did not. */
  readonly isMissed?: boolean | undefined;
}

/** Compares a document with the known state of its page (contract of the families, section 9.4). */
export async function findChange(
  page: MetPage,
  document: ScrapeData,
  services: MonitorServices,
): Promise<Finding> {
  const name = nameOf(page);
  const { target } = page.work;
  const { statusCode, blocked, error: reason } = document.metadata;
  const state = await services.states.get(name);
  const base = { targetId: target.id, url: page.url, statusCode, metadata: shownMetadata(document) };
  if (GONE.has(statusCode)) return gone(name, { base, state, target }, page);
  if (blocked || statusCode >= FIRST_FAILURE) {
    const previousScrapeId = state?.scrapeId ?? null;
    const error = statusCode < FIRST_FAILURE && reason ? reason : `The page answered ${statusCode}.`;
    return { name, page: { ...base, status: "error", error, previousScrapeId }, isMissed: page.isMissed };
  }
  return compared({ name, base, state, page }, document, services);
}

export function failedPage(page: MetPage, { message }: PageFailure): Finding {
  const name = nameOf(page);
  const { url, isMissed } = page;
  return { name, page: { targetId: name.targetId, url, status: "error", error: message }, isMissed };
}

type PageBase = Pick<NewPage, "targetId" | "url" | "statusCode" | "metadata">;

/**
 * The page answers that it does not exist, so it counts as removed, once. In a crawl, dead links to pages
 * that never existed are ignored.
 */
function gone(
  name: StateName,
  { base, state, target }: { base: PageBase; state: PageState | undefined; target: Target },
  { work: { check } }: MetPage,
): Finding {
  const isCrawl = target.type === "crawl";
  if (!state && isCrawl) return { name, page: undefined };
  const error = `The page answered ${base.statusCode}.`;
  if (!state) return { name, page: { ...base, status: "error", error } };
  if (state.blobId === undefined) return { name, page: { ...base, status: "same" } };
  return {
    name,
    page: { ...base, status: "removed", previousScrapeId: state.scrapeId ?? null },
    state: isCrawl ? "forgotten" : { blobId: undefined, scrapeId: undefined, missed: 0, checkId: check.id },
    outdatedBlobId: state.blobId,
  };
}

interface Comparable {
  readonly name: StateName;
  readonly base: PageBase;
  readonly state: PageState | undefined;
  readonly page: MetPage;
}

async function compared(
  { name, base, state, page: { work, isMissed } }: Comparable,
  document: ScrapeData,
  services: MonitorServices,
): Promise<Finding> {
  const { states, compareVersions } = services;
  const { check, plan, target, signal } = work;
  const tracked = plan.ofTarget(target);
  const content = contentOf(document, tracked);
  const rules: Pick<ScrapeTarget, "kind" | "threshold"> = target.type === "scrape" ? target : {};
  if ((rules.kind ?? "page") !== "page" && !hasValues(content.json)) {
    const previousScrapeId = state?.scrapeId ?? null;
    return { name, page: { ...base, status: "error", error: NO_VALUES, previousScrapeId }, isMissed };
  }
  const scrapeId = document.metadata.scrapeId;
  const isKnown = state?.blobId !== undefined && state.contentHash === hashOf(content);
  const before = isKnown || state?.blobId === undefined ? undefined : await states.read(state.blobId);
  const json = withinThreshold({ before: before?.json, after: content.json }, rules.threshold);
  const after = tracked.json ? { ...content, json } : content;
  const snapshot = tracked.json ? snapshotOf(after) : undefined;
  const page = {
    ...base,
    previousScrapeId: state?.scrapeId ?? null,
    currentScrapeId: scrapeId ?? null,
    ...(snapshot && { snapshot: JSON.stringify(snapshot) }),
  };
  const change = before && (await comparePage({ before, after }, tracked, compareVersions, signal));
  const found = isKnown ? SAME : change;
  const contentHash = hashOf(after);
  const isKept = isKnown || (before !== undefined && state?.contentHash === contentHash);
  const blobId = isKept ? state?.blobId : await states.store(after);
  return {
    name,
    page: {
      ...page,
      status: found?.status ?? "new",
      diff: found?.diff ? JSON.stringify(found.diff) : null,
      ...(found?.warning && { metadata: withWarning(base.metadata, found.warning) }),
    },
    state: { blobId, contentHash, scrapeId, missed: isMissed ? (state?.missed ?? 0) : 0, checkId: check.id },
    outdatedBlobId: isKept ? undefined : state?.blobId,
  };
}

function contentOf(document: ScrapeData, { text, json, isProduct }: TrackedOptions): Snapshot {
  const { markdown = "", ...values } = document as Pick<ScrapeData, "markdown" | "json" | "product">;
  if (isProduct) return { markdown: text ? markdown : "", json: productValues(values.product) };
  return json ? { markdown, json: values.json ?? null } : { markdown };
}

function hashOf(content: Snapshot): string {
  return sha256Hex(JSON.stringify(content));
}

function nameOf({ work: { check, target }, url }: MetPage): StateName {
  return { monitorId: check.monitorId, targetId: target.id, url };
}

function shownMetadata(document: ScrapeData): string {
  const metadata = document.metadata as Readonly<Record<string, unknown>>;
  const shown = new Map<string, string | number>();
  for (const name of SHOWN) {
    const value = metadata[name];
    const text = textOf(Array.isArray(value) ? value[0] : value);
    if (typeof value === "number") shown.set(name, value);
    else if (text !== undefined) shown.set(name, text.slice(0, MAX_SHOWN_LENGTH));
  }
  const { screenshot } = document as { readonly screenshot?: unknown };
  return JSON.stringify({
    ...Object.fromEntries(shown),
    ...(typeof screenshot === "string" && !screenshot.startsWith("data:") && { screenshot }),
  });
}

function withWarning(metadata: string | null | undefined, warning: string): string {
  const known: unknown = JSON.parse(metadata ?? "{}");
  return JSON.stringify({ ...(isJsonObject(known) ? known : {}), warning });
}
