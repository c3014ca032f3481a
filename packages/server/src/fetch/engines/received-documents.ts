import { STATUS_CODES } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

import { kindNamed } from "../file-kinds/all.ts";
import { detectFile, statedType } from "../file-kinds/detect.ts";
import { BrowserFailure } from "@pergamon-dev/browser/cdp/browser-failure";
import { type PausedRequest, readAnswer, type Verdict } from "@pergamon-dev/browser/tab/interception";
import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import { refuseEndless, tooLarge } from "@pergamon-dev/kit/byte-collector";
import { headersByName, isRedirectStatus } from "../../net/exchange.ts";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import { isAttachment } from "../capture.ts";
import type { Attempt } from "../engine.ts";
import type { Visit } from "../visit.ts";

/** A document as the server sent it. */
export interface ReceivedDocument {
  /** URL without fragment. */
  readonly url: string;
  readonly status: number;
  readonly reason: string;
  /** Headers by lower-case name. Repeated ones are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined when the browser received it directly from the server, as it does with pages. */
  readonly body: Uint8Array | undefined;
  /** Whether browsers render it as a page. */
  readonly isPage: boolean;
  /** Whether the browser displays it. Browsers download other documents. */
  readonly isOpen: boolean;
}

const POLL_MS = 10;
/** Browsers do not navigate for these statuses. */
const WITHOUT_CONTENT: ReadonlySet<number> = new Set([204, 205, 304]);
/**
 * Larger bodies are not passed to the browser, because sending them would keep the process from other work.
 */
const MAX_SHOWN_BYTES = 10 * 1024 * 1024;
const ANSWERS = [{ urlPattern: "*", resourceType: "Document", requestStage: "Response" }] as const;
const PAGE_TYPES = kindNamed("html").recognisedBy.types;
/** Browsers' reason when they download a document instead of showing it. */
const REFUSED: Verdict = { verdict: "fail", reason: "Aborted" };
const BROKEN_OFF: Verdict = { verdict: "fail", reason: "ConnectionClosed" };

/**
 * Watches documents for the page of a tab, and takes those that are no pages as they are sent. Call it before
 * navigation.
 */
export function receiveDocuments(tab: BrowserTab, { visit }: Attempt, until: AbortSignal): ReceivedDocuments {
  return new ReceivedDocuments(tab, visit, until);
}

interface Coming {
  /** Id of its request. */
  readonly id: string;
  readonly document: ReceivedDocument;
}

/** Documents that arrive for the page of a tab. */
export class ReceivedDocuments {
  /** Aborted when the requested document exceeds the size limit. */
  readonly signal: AbortSignal;
  readonly #tab: BrowserTab;
  readonly #visit: Visit;
  readonly #refused = new AbortController();
  #takesPages: boolean;
  #isOver = false;
  #latest: ReceivedDocument | undefined;
  /** Document that is being loaded into the page. */
  #coming: Coming | undefined;

  constructor(tab: BrowserTab, visit: Visit, until: AbortSignal) {
    this.#tab = tab;
    this.#visit = visit;
    this.#takesPages = visit.asReceived === true;
    this.signal = AbortSignal.any([until, this.#refused.signal]);
    tab.session.on("Page.frameNavigated", ({ frame }) => {
      if (frame.id === tab.mainFrameId && frame.loaderId === this.#coming?.id) this.#arrive(true);
    });
    tab.session.on("Network.loadingFailed", ({ requestId }) => {
      if (requestId === this.#coming?.id) this.#arrive(false);
    });
    tab.requests.add(ANSWERS, (paused) => this.#judge(paused));
  }

  /** The last document that the browser displays, or that came in its place. */
  get latest(): ReceivedDocument | undefined {
    return this.#latest;
  }

  /**
   * Returns when the current document has arrived, or when the time limit for a page to become ready is over.
   */
  async settled(signal: AbortSignal): Promise<void> {
    const endsAtMs = performance.now() + this.#visit.browser.readyWithinMs;
    while (this.#coming && performance.now() < endsAtMs) await sleep(POLL_MS, undefined, { signal });
  }

  /** Takes the bodies of pages, too, from now on. */
  takePages(): void {
    this.#takesPages = true;
  }

  /** Ends the watch, because later navigation of the tab is not caused by the page. */
  stop(): void {
    this.#isOver = true;
  }

  #arrive(isOpen: boolean): void {
    const document = this.#coming?.document;
    this.#coming = undefined;
    if (document && (isOpen || document.body)) this.#latest = { ...document, isOpen };
  }

  #judge(paused: PausedRequest): Promise<Verdict> | undefined {
    const { frameId, networkId: id } = paused;
    const head = headOf(paused);
    // A request for a download has no id. Downloads do not change the page that offers them.
    if (this.#isOver || frameId !== this.#tab.mainFrameId || id === undefined || !head) return undefined;
    if (this.#latest?.isOpen && isAttachment(head)) return undefined;
    this.#coming = { id, document: head };
    if (!this.#takesPages && head.isPage && isForShow(head)) return undefined;
    return this.#take(paused, { id, document: head }).catch((failure: unknown) => this.#refuse(failure));
  }

  async #take(paused: PausedRequest, { id, document: head }: Coming): Promise<Verdict> {
    const { maxBodyBytes } = this.#visit;
    const { "content-length": length, "content-encoding": encoding, "content-type": type } = head.headers;
    refuseEndless(type, length);
    if (Number(length ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes);
    const body = await readAnswer(this.#tab.session, paused.requestId, maxBodyBytes, this.signal);
    // The browser does not report a broken connection.
    if (encoding === undefined && body.byteLength < Number(length ?? 0)) return BROKEN_OFF;
    const { kind } = await detectFile(body, type, head.url);
    const { inBrowser } = kindNamed(kind);
    const document = { ...head, body, isPage: inBrowser === "rendered" };
    // A page that continues to an unreadable file stays, as it does in a browser.
    const isLeftOut = this.#latest?.isOpen === true && kind === "unsupported";
    if (this.#coming?.id === id) this.#coming = isLeftOut ? undefined : { id, document };
    const isShown = inBrowser !== "not-shown" && isForShow(head) && body.byteLength <= MAX_SHOWN_BYTES;
    if (!isShown) return REFUSED;
    const headers = (paused.responseHeaders ?? []).filter(({ name }) => isOfContent(name));
    return { verdict: "fulfill", status: head.status, headers, body };
  }

  #refuse(failure: unknown): Verdict {
    if (!(failure instanceof NetworkError)) return BROKEN_OFF;
    const reason = new BrowserFailure("page-too-large", failure.message, { cause: failure });
    if (!this.#latest?.isOpen) this.#refused.abort(reason);
    return REFUSED;
  }
}

/** Type in a content-type header, if browsers render that type as a page. */
export function pageTypeOf(contentType: string | undefined): string | undefined {
  return PAGE_TYPES.find((type) => type === statedType(contentType));
}

/** Headers of the transfer, which do not apply to the decoded body. */
const OF_TRANSPORT = /^(?:content-encoding|content-length|transfer-encoding|connection|keep-alive)$/i;

function isOfContent(name: string): boolean {
  return !OF_TRANSPORT.test(name);
}

/** Undefined for redirects, and for requests without a response. */
function headOf({ request, ...paused }: PausedRequest): ReceivedDocument | undefined {
  const { responseStatusCode: status, responseStatusText, responseHeaders = [] } = paused;
  const headers = headersByName(responseHeaders.map(({ name, value }) => [name, value]));
  if (status === undefined || (isRedirectStatus(status) && headers["location"])) return undefined;
  const isPage = pageTypeOf(headers["content-type"]) !== undefined;
  const reason = reasonOf(status, responseStatusText);
  return { url: request.url, status, reason, headers, body: undefined, isPage, isOpen: false };
}

function isForShow(head: ReceivedDocument): boolean {
  return !isAttachment(head) && !WITHOUT_CONTENT.has(head.status);
}

function reasonOf(status: number, statusText = ""): string {
  return STATUS_CODES[status] ?? statusText;
}
