import { STATUS_CODES } from "node:http";

import { withoutCredentials } from "../../kit/url.ts";
import { BrowserFailure } from "../../platform/browser/cdp/browser-failure.ts";
import type { BrowserPool } from "../../platform/browser/pool.ts";
import { NetworkError } from "../../platform/net/guard/network-error.ts";
import { readHtml, type Snapshot } from "../../platform/browser/tab/snapshot.ts";
import type { BrowserTab } from "../../platform/browser/tab/tab.ts";
import type { BrowserStage, StageEvidence } from "../stages/stage.ts";
import type { Attempt, EngineResult, Engine, Refusal } from "../engine.ts";
import { refusalOf, refusalOfCode, siteError } from "./network-refusal.ts";
import { openReadyPage } from "./open-page.ts";

/** Browsers for every tier. */
interface TierPools {
  /** Costs little. */
  readonly shell: BrowserPool;
  /** For the enhanced tier, where there is one: the whole browser that people use, which costs several times as much. */
  readonly headful: BrowserPool;
}

/** The browsers that visits are made with. */
export interface BrowserPools {
  readonly plain: TierPools;
  /** For visits that are logged in: frames of other sites are kept apart from the page by processes. */
  readonly isolated: TierPools;
}

/** Some 100 ms of work for a small page, where plain HTTP takes 2 (bench/browser.ts, bench/static.ts). */
const COST = 50;

/** Gets pages as people see them: scripts run, and what the visit asks for is done on the page. */
export function browserEngine(pools: BrowserPools, stages: readonly BrowserStage[]): Engine {
  const { plain, isolated } = pools;
  const all = [plain.shell, plain.headful, isolated.shell, isolated.headful];

  async function visitOnce(attempt: Attempt, signal: AbortSignal): Promise<EngineResult | Refusal> {
    const { proxy, visit, tier } = attempt;
    const options = { proxy, skipTlsVerification: visit.skipTlsVerification };
    const { shell, headful } = visit.browser.profile ? isolated : plain;
    const pool = tier === "enhanced" && (await headful.isAvailable(signal)) ? headful : shell;
    return pool.withTab(options, (tab) => visitIn(tab, attempt, stages, signal), signal);
  }

  return {
    name: "browser",
    offers: "everything",
    cost: COST,
    isAvailable: (signal) => plain.shell.isAvailable(signal),
    warmUp: () => plain.shell.warmUp(),
    get isStarting() {
      return all.some((pool) => pool.isStarting);
    },
    async visit(attempt, signal) {
      try {
        return await visitOnce(attempt, signal).catch((failure: unknown) => {
          // After a crash of the browser the visit is made once more in a new one.
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

/** The visit, step by step. */
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
  const opened = await openReadyPage(tab, attempt, stages, until);
  if ("errorCode" in opened) return notLoaded(tab, attempt, opened.errorCode);
  const { evidence, hops } = opened;
  const { signal } = hops;
  const engineResult = await capturePage(tab, attempt, evidence, signal);
  hops.stop();
  for (const { onCaptured } of stages) await onCaptured?.(tab, attempt, signal);
  return engineResult;
}

/** Frames are written into the page; a page without any is not parsed. */
async function htmlOf(snapshot: Snapshot): Promise<string> {
  if (snapshot.frames.length === 0) return snapshot.html;
  return (await import("./whole-html.ts")).wholeHtml(snapshot);
}

async function capturePage(
  tab: BrowserTab,
  { visit, tier }: Attempt,
  evidence: StageEvidence,
  signal: AbortSignal,
): Promise<EngineResult> {
  const snapshot = await readHtml(tab, signal);
  const body = Buffer.from(await htmlOf(snapshot), "utf8");
  if (body.byteLength > visit.maxBodyBytes)
    throw new BrowserFailure("page-too-large", "The page is too large.");
  const { status = 200, statusText = "", headers = {} } = tab.response ?? {};
  const capture = {
    requestedUrl: withoutCredentials(visit.url),
    url: snapshot.url,
    statusCode: status,
    reason: STATUS_CODES[status] ?? statusText,
    headers: lowerCased(headers),
    contentType: "text/html; charset=utf-8",
    body,
    engine: "browser",
    proxyUsed: tier === "enhanced" ? "stealth" : "basic",
    hasUnverifiedTls: visit.skipTlsVerification && tab.egress.hasTunnelled,
    capturedAtMs: Date.now(),
    ...evidence,
  } as const;
  return { capture };
}

function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    value.replaceAll("\n", ", "),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** The guard's reason, where it refused the connection, is more exact than the browser's error code. */
function notLoaded(tab: BrowserTab, { visit }: Attempt, errorCode: string): Refusal {
  const failure = tab.egress.failureOf(new URL(visit.url).hostname);
  if (failure) return refusalOf(failure, visit);
  return refusalOfCode(errorCode, visit);
}

/** Names for what became of a page, in the manner of browsers. */
const LOST_CODES: Partial<Record<BrowserFailure["kind"], string>> = {
  "out-of-memory": "ERR_OUT_OF_MEMORY",
  "tab-hung": "ERR_PAGE_UNRESPONSIVE",
};

function lost(failure: BrowserFailure, { visit }: Attempt): Refusal {
  if (failure.kind === "page-too-large")
    return refusalOf(new NetworkError("too-large", failure.message, { cause: failure }), visit);
  if (failure.kind === "unavailable") {
    return { code: "SCRAPE_ALL_ENGINES_FAILED", message: "No browser could be started.", cause: failure };
  }
  return { ...siteError(LOST_CODES[failure.kind] ?? "ERR_PAGE_CRASHED"), cause: failure };
}
