import { kindNamed } from "../file-kinds/all.ts";
import { detectFile } from "../file-kinds/detect.ts";
import { withoutCredentials } from "@pergamon-dev/kit/url";
import { BrowserFailure } from "@pergamon-dev/browser/cdp/browser-failure";
import type { BrowserPool } from "@pergamon-dev/browser/pool";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import { readHtml, type Snapshot } from "@pergamon-dev/browser/tab/snapshot";
import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import type { BrowserStage, StageEvidence } from "../stages/stage.ts";
import type { Capture } from "../capture.ts";
import type { Attempt, EngineResult, Engine, Refusal } from "../engine.ts";
import type { Visit } from "../visit.ts";
import { refusalOf, refusalOfCode, siteError } from "./network-refusal.ts";
import { openReadyPage } from "./open-page.ts";
import {
  pageTypeOf,
  receiveDocuments,
  type ReceivedDocument,
  type ReceivedDocuments,
} from "./received-documents.ts";

/** What a visit needs of its browser. Each kind is a process of its own. */
export interface BrowserKind {
  /** Whether it is a whole browser, which costs several times as much as a headless shell. */
  readonly isWhole: boolean;
  /** Whether all of its requests are those of a phone. */
  readonly isPhone: boolean;
  /** Whether frames of other sites run in separate processes, for visits with a login. */
  readonly isolatesSites: boolean;
}

export interface BrowserPools {
  /** Opened with its first visit. */
  of(kind: BrowserKind): BrowserPool;
  readonly isStarting: boolean;
}

const USUAL: BrowserKind = { isWhole: false, isPhone: false, isolatesSites: false };

/** Some 100 ms of work for a small page, where plain HTTP takes 2 ms (bench/browser.ts, bench/static.ts). */
const COST = 50;
/** Chromium's error for a document that it does not display. */
const DOWNLOADED = "ERR_ABORTED";

/** Gets pages as people see them. Scripts run, and the visit's order is carried out on the page. */
export function browserEngine(pools: BrowserPools, stages: readonly BrowserStage[]): Engine {
  async function visitOnce(attempt: Attempt, signal: AbortSignal): Promise<EngineResult | Refusal> {
    const { proxy, visit, tier } = attempt;
    const options = { proxy, skipTlsVerification: visit.skipTlsVerification };
    const { profile, mobile } = visit.browser;
    const kind = { isWhole: tier === "enhanced", isPhone: mobile, isolatesSites: profile !== undefined };
    const wanted = pools.of(kind);
    const hasWanted = !kind.isWhole || (await wanted.isAvailable(signal));
    const pool = hasWanted ? wanted : pools.of({ ...kind, isWhole: false });
    return pool.withTab(options, (tab) => visitIn(tab, attempt, stages, signal), signal);
  }

  return {
    name: "browser",
    offers: "everything",
    cost: COST,
    isAvailable: (signal) => pools.of(USUAL).isAvailable(signal),
    warmUp: () => pools.of(USUAL).warmUp(),
    get isStarting() {
      return pools.isStarting;
    },
    async visit(attempt, signal) {
      try {
        return await visitOnce(attempt, signal).catch((failure: unknown) => {
          // After a crash of the browser the visit is repeated once in a new one.
          if (failure instanceof BrowserFailure && failure.isWorthRetrying) return visitOnce(attempt, signal);
          throw failure;
        });
      } catch (failure) {
        signal.throwIfAborted();
        if (failure instanceof BrowserFailure) return lost(failure, attempt);
        throw failure;
      }
    },
  };
}

async function visitIn(
  tab: BrowserTab,
  attempt: Attempt,
  stages: readonly BrowserStage[],
  signal: AbortSignal,
): Promise<EngineResult | Refusal> {
  try {
    return await passStages(tab, attempt, stages, signal);
  } finally {
    for (const { onLeave } of stages) await onLeave?.(tab);
  }
}

async function passStages(
  tab: BrowserTab,
  attempt: Attempt,
  stages: readonly BrowserStage[],
  until: AbortSignal,
): Promise<EngineResult | Refusal> {
  const documents = receiveDocuments(tab, attempt, until);
  const opened = await openReadyPage(tab, attempt, stages, documents.signal);
  const isOpened = !("errorCode" in opened);
  const signal = isOpened ? opened.hops.signal : documents.signal;
  await documents.settled(signal);
  const snapshot =
    isOpened && showsPage(documents, attempt.visit) ? await readPage(tab, documents, signal) : undefined;
  const { latest: document = NOTHING_SENT } = documents;
  if (!isOpened && (opened.errorCode !== DOWNLOADED || document === NOTHING_SENT))
    return notLoaded(tab, attempt, opened.errorCode);
  const evidence = isOpened ? opened.evidence : {};
  const capture = await captureOf(tab, attempt, { document, snapshot, evidence, isOpened });
  if (isOpened) opened.hops.stop();
  documents.stop();
  for (const { onCaptured } of stages) await onCaptured?.(tab, attempt, signal);
  return { capture };
}

/** Whether the browser's result is wanted rather than the document as sent. */
function showsPage({ latest }: ReceivedDocuments, { asReceived }: Visit): boolean {
  return !latest?.body || (latest.isOpen && latest.isPage && asReceived !== true);
}

/**
 * Snapshot of the page. Undefined when the document is no page, whatever type its server named. It is then
 * returned as sent.
 */
async function readPage(
  tab: BrowserTab,
  documents: ReceivedDocuments,
  signal: AbortSignal,
): Promise<Snapshot | undefined> {
  const snapshot = await readHtml(tab, signal);
  const { latest } = documents;
  if (!latest || latest.body || !(await isFileAsPage(snapshot))) return snapshot;
  documents.takePages();
  await tab.navigate(latest.url, signal);
  await documents.settled(signal);
  return undefined;
}

/** HTML that the parser puts around plain text, and its version of an XML declaration before that. */
const AROUND_TEXT = /^(?:<!--[^>]*-->)?<html><head><\/head><body>/;
const OPENING_CHARACTERS = 4000;

async function isFileAsPage({ html, url }: Snapshot): Promise<boolean> {
  const opening = html.slice(0, OPENING_CHARACTERS);
  if (!AROUND_TEXT.test(opening)) return false;
  const { kind } = await detectFile(Buffer.from(opening.replace(AROUND_TEXT, "")), "text/html", url);
  return kindNamed(kind).inBrowser !== "rendered";
}

/** Inserts frames into the page. A page without frames is not parsed. */
async function htmlOf(snapshot: Snapshot): Promise<string> {
  if (snapshot.frames.length === 0) return snapshot.html;
  return (await import("./whole-html.ts")).wholeHtml(snapshot);
}

/** A page that no server has sent. */
const NOTHING_SENT: ReceivedDocument = {
  url: "about:blank",
  status: 200,
  reason: "OK",
  headers: {},
  body: undefined,
  isPage: true,
  isOpen: true,
};

interface VisitEnd {
  readonly document: ReceivedDocument;
  /** The browser's result. Undefined when the document itself is wanted. */
  readonly snapshot: Snapshot | undefined;
  readonly evidence: StageEvidence;
  /** Whether stages had a page to work on. */
  readonly isOpened: boolean;
}

async function captureOf(tab: BrowserTab, { visit, tier }: Attempt, end: VisitEnd): Promise<Capture> {
  const { status, reason, headers, isOpen } = end.document;
  const content = await contentOf(end);
  if (content.body.byteLength > visit.maxBodyBytes)
    throw new BrowserFailure("page-too-large", "The page is too large.");
  return {
    requestedUrl: withoutCredentials(visit.url),
    statusCode: status,
    reason,
    headers,
    ...content,
    engine: "browser",
    proxyUsed: tier === "enhanced" ? "stealth" : "basic",
    ...(visit.proxy === "enhanced" && !tab.isWhole && { lacksWholeBrowser: true }),
    hasUnverifiedTls: visit.skipTlsVerification && tab.egress.hasTunnelled,
    capturedAtMs: Date.now(),
    ...(isOpen && end.isOpened ? end.evidence : withoutPage(visit, end)),
  };
}

async function contentOf({ document, snapshot }: VisitEnd) {
  const { url, headers, body = new Uint8Array() } = document;
  const contentType = headers["content-type"];
  if (!snapshot) return { url: withoutCredentials(url), contentType, body };
  return {
    url: snapshot.url,
    contentType: `${pageTypeOf(contentType) ?? "text/html"}; charset=utf-8`,
    body: Buffer.from(await htmlOf(snapshot), "utf8"),
    ...(snapshot.linkedRules && { linkedRules: snapshot.linkedRules }),
  };
}

/** Options that still count as followed when a page continues to a document. Only pages have screenshots. */
const DONE_ON_PAGES: ReadonlySet<string> = new Set(["waitFor", "mobile", "profile", "actions"]);

/**
 * Removes evidence that does not apply, because there is no page or it continued to a document, and names
 * what was not done.
 */
function withoutPage({ browserFeatures }: Visit, { evidence, isOpened }: VisitEnd) {
  const { actions, timezone } = evidence;
  const lacks = browserFeatures.filter((name) => (isOpened ? !DONE_ON_PAGES.has(name) : name !== "profile"));
  return {
    ...(timezone !== undefined && { timezone }),
    ...(actions && { actions }),
    ...(lacks.length > 0 && { lacks }),
  };
}

/** A refusal by the guard is more exact than the browser's error code. */
function notLoaded(tab: BrowserTab, { visit }: Attempt, errorCode: string): Refusal {
  const failure = tab.egress.failureOf(new URL(visit.url).hostname);
  if (failure) return refusalOf(failure, visit);
  return refusalOfCode(errorCode, visit);
}

/** Error codes for lost pages, in the style of browsers. */
const LOST_CODES: Partial<Record<BrowserFailure["kind"], string>> = {
  "out-of-memory": "ERR_OUT_OF_MEMORY",
  "tab-hung": "ERR_PAGE_UNRESPONSIVE",
};

function lost(failure: BrowserFailure, { visit }: Attempt): Refusal {
  if (failure.cause instanceof NetworkError) return refusalOf(failure.cause, visit);
  if (failure.kind === "page-too-large")
    return refusalOf(new NetworkError("too-large", failure.message, { cause: failure }), visit);
  if (failure.kind === "unavailable") {
    return { code: "SCRAPE_ALL_ENGINES_FAILED", message: "No browser could be started.", cause: failure };
  }
  return { ...siteError(LOST_CODES[failure.kind] ?? "ERR_PAGE_CRASHED"), cause: failure };
}
