import type { Protocol } from "devtools-protocol";

import type { OpenRequest, PageReport, PageState } from "./readiness-policy.ts";
import type { BrowserTab } from "../tab/tab.ts";

/**
 * Kinds of requests whose answer may become content. Images, media, beacons and sockets never delay
 * readiness. Documents either replace the page, which other events report, or are frames.
 */
const CONTENT_TYPES: ReadonlySet<string> = new Set(["Script", "Stylesheet", "XHR", "Fetch", "Preflight"]);
/** Kinds of requests that scripts send, rather than the document. */
const ASKED_TYPES: ReadonlySet<string> = new Set(["XHR", "Fetch"]);
/** A reload announced for later than this is meant for people who stay. */
const LATER_NAVIGATION_SECONDS = 5;
/** A size seen this often before belongs to something that alternates, such as a carousel. */
const REPEATED_SIZES = 2;

interface Request extends OpenRequest {
  readonly type: string;
}

/** Tracks the state of a loading page from the reports of the browser and the probe. */
export class PageActivity {
  readonly #tab: BrowserTab;
  readonly #onEvent: () => void;
  readonly #requests = new Map<string, Request>();
  readonly #sizes = new Map<string, number>();
  #state: Omit<PageState, "requests" | "statusCode">;
  /** The document request with which the page leaves, or left last. */
  #leavesWith: string | undefined;
  /** Characters of main text when the document was parsed. */
  #servedText: number | undefined;

  constructor(tab: BrowserTab, onEvent: () => void) {
    this.#tab = tab;
    this.#onEvent = onEvent;
    this.#state = newState(performance.now());
    this.#watchNetwork();
    this.#watchPage();
  }

  state(): PageState {
    const statusCode = this.#tab.response?.status ?? 0;
    return { ...this.#state, requests: [...this.#requests.values()], statusCode };
  }

  /** Starts over, because another document replaces the current one. */
  startDocument(): void {
    this.#state = newState(performance.now());
    this.#requests.clear();
    this.#sizes.clear();
    this.#servedText = undefined;
    this.#onEvent();
  }

  change(): void {
    this.#state = { ...this.#state, changedAtMs: performance.now() };
  }

  report({ isParsed, ...report }: PageReport & { readonly isParsed: boolean }): void {
    const former = this.#state.report;
    this.#state = { ...this.#state, report, isParsed: this.#state.isParsed || isParsed };
    if (isParsed) this.#servedText ??= report.mainText;
    if (!former || this.#isNoticeable(former, report)) this.change();
    const served = this.#servedText;
    if (served !== undefined && report.mainText > served * 1.2 + 100) this.#update({ isRendered: true });
    this.#onEvent();
  }

  /** Ignores clocks and carousels, which change a page forever. */
  #isNoticeable(former: PageReport, report: PageReport): boolean {
    const size = `${report.mainText}:${report.elements}:${report.height}`;
    const seen = this.#sizes.get(size) ?? 0;
    this.#sizes.set(size, seen + 1);
    if (seen >= REPEATED_SIZES) return false;
    const difference = (key: "mainText" | "elements" | "height") => Math.abs(report[key] - former[key]);
    return (
      difference("mainText") > Math.max(24, former.mainText * 0.01) ||
      difference("elements") > Math.max(4, former.elements * 0.02) ||
      difference("height") > Math.max(100, former.height * 0.05) ||
      report.loadingMarkers !== former.loadingMarkers
    );
  }

  #update(changes: Partial<PageState>): void {
    this.#state = { ...this.#state, ...changes };
  }

  #watchNetwork(): void {
    const { session } = this.#tab;
    session.on("Network.requestWillBeSent", (event) => this.#open(event));
    session.on("Network.responseReceived", ({ requestId, response }) => this.#answer(requestId, response));
    session.on("Network.loadingFinished", ({ requestId }) => this.#end(requestId));
    session.on("Network.loadingFailed", ({ requestId }) => this.#end(requestId));
  }

  #open({ requestId, type = "Other", request, loaderId }: Protocol.Network.RequestWillBeSentEvent): void {
    // A POST without a body is a beacon by another name.
    const isBeacon = request.method === "POST" && request.hasPostData !== true;
    if (!CONTENT_TYPES.has(type) || isBeacon) return;
    const startedAtMs = performance.now();
    // Only the worker learns when its script ends. Its results are visible once the page shows them.
    const isWorker = loaderId === "";
    if (!isWorker) this.#requests.set(requestId, { type, startedAtMs, answeredAtMs: undefined });
    const hasAsked = this.#state.hasAsked || isWorker || ASKED_TYPES.has(type);
    this.#update({ networkAtMs: startedAtMs, hasAsked, hasWorkers: this.#state.hasWorkers || isWorker });
    this.#onEvent();
  }

  #answer(requestId: string, { mimeType }: Protocol.Network.Response): void {
    const request = this.#requests.get(requestId);
    if (!request) return;
    if (/event-stream/i.test(mimeType)) this.#requests.delete(requestId);
    else if (ASKED_TYPES.has(request.type)) {
      const answeredAtMs = performance.now();
      this.#requests.set(requestId, { ...request, answeredAtMs });
      this.#update({ networkAtMs: answeredAtMs });
    }
    this.#onEvent();
  }

  #end(requestId: string): void {
    const request = this.#requests.get(requestId);
    if (!request) return;
    this.#requests.delete(requestId);
    if (ASKED_TYPES.has(request.type)) this.#update({ networkAtMs: performance.now() });
    this.#onEvent();
  }

  #watchPage(): void {
    const { session, mainFrameId } = this.#tab;
    session.on("Page.lifecycleEvent", ({ frameId, name }) => {
      if (frameId !== mainFrameId) return;
      if (name === "DOMContentLoaded") this.#update({ isParsed: true });
      if (name === "load") this.#update({ isLoaded: true });
      this.#onEvent();
    });
    // Chromium also sends this for documents whose loading was aborted, which never fire their load event.
    session.on("Page.frameStoppedLoading", ({ frameId }) => {
      if (frameId !== mainFrameId) return;
      this.#update({ isParsed: true, isLoaded: true });
      this.#onEvent();
    });
    session.on("Page.frameRequestedNavigation", ({ frameId, disposition }) => {
      if (frameId === mainFrameId && disposition === "currentTab") this.#leave(0);
    });
    session.on("Page.frameScheduledNavigation", ({ frameId, delay }) => {
      if (frameId === mainFrameId && delay < LATER_NAVIGATION_SECONDS) this.#leave(delay);
    });
    // The page seemed to leave, but stays: for a download, or an answer without a document.
    const stay = () => {
      this.#update({ leavesAtMs: undefined });
      this.#onEvent();
    };
    session.on("Page.downloadWillBegin", ({ frameId }) => {
      if (frameId === mainFrameId) stay();
    });
    session.on("Network.loadingFailed", ({ type, requestId }) => {
      if (type === "Document" && requestId === this.#leavesWith) stay();
    });
    session.on("Network.requestWillBeSent", ({ type, frameId, requestId, loaderId }) => {
      if (type === "Document" && frameId === mainFrameId && requestId === loaderId)
        this.#leavesWith = requestId;
    });
  }

  #leave(delaySeconds: number): void {
    this.#update({ leavesAtMs: performance.now() + delaySeconds * 1000 });
    this.#onEvent();
  }
}

function newState(nowMs: number): Omit<PageState, "requests" | "statusCode"> {
  return {
    navigatedAtMs: nowMs,
    report: undefined,
    isParsed: false,
    isLoaded: false,
    hasAsked: false,
    hasWorkers: false,
    changedAtMs: nowMs,
    networkAtMs: nowMs,
    isRendered: false,
    leavesAtMs: undefined,
  };
}
