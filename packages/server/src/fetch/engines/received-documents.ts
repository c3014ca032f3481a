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
import type { Attempt, HandOver } from "../engine.ts";
import type { Visit } from "../visit.ts";
import { isOfContent } from "../stages/hand-over.ts";

/** A document as the server sent it. */
export interface ReceivedDocument {
  /** Without fragment. */
  readonly url: string;
  readonly status: number;
  readonly reason: string;
  /** By lower-case name; repeated ones joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where the browser took it straight from the server, as it does with pages. */
  readonly body: Uint8Array | undefined;
  /** Whether browsers make of it what people see. */
  readonly isPage: boolean;
  /** Whether the browser shows it; otherwise it is one that browsers download. */
  readonly isOpen: boolean;
}

const POLL_MS = 10;
/** With these, browsers stay where they are. */
const WITHOUT_CONTENT: ReadonlySet<number> = new Set([204, 205, 304]);
/** What is larger is not handed to the browser to show: sending it there would keep the process from other work. */
const MAX_SHOWN_BYTES = 10 * 1024 * 1024;
const ANSWERS = [{ urlPattern: "*", resourceType: "Document", requestStage: "Response" }] as const;
const PAGE_TYPES = kindNamed("html").recognisedBy.types;
/** As browsers put it when they download something instead of showing it. */
const REFUSED: Verdict = { verdict: "fail", reason: "Aborted" };
const BROKEN_OFF: Verdict = { verdict: "fail", reason: "ConnectionClosed" };

/** Watches what comes for the page of a tab, and takes what is no page as it is sent. Call it before navigation. */
export async function receiveDocuments(
  tab: BrowserTab,
  { visit, handOver }: Attempt,
  until: AbortSignal,
): Promise<ReceivedDocuments> {
  return new ReceivedDocuments({ tab, visit, until, first: handOver && (await handedOver(handOver)) });
}

interface Coming {
  /** Of its request. */
  readonly id: string;
  readonly document: ReceivedDocument;
}

interface DocumentsParts {
  readonly tab: BrowserTab;
  readonly visit: Visit;
  readonly until: AbortSignal;
  /** What the browser is handed. */
  readonly first: ReceivedDocument | undefined;
}

/** The documents that come for the page of a tab. */
export class ReceivedDocuments {
  /** Aborted when the one that was asked for is larger than is taken. */
  readonly signal: AbortSignal;
  readonly #tab: BrowserTab;
  readonly #visit: Visit;
  readonly #refused = new AbortController();
  #takesPages: boolean;
  #isOver = false;
  #latest: ReceivedDocument | undefined;
  /** The one that is on its way into the page. */
  #coming: Coming | undefined;

  constructor({ tab, visit, until, first }: DocumentsParts) {
    this.#tab = tab;
    this.#visit = visit;
    this.#takesPages = visit.asReceived === true;
    this.#latest = first;
    this.signal = AbortSignal.any([until, this.#refused.signal]);
    tab.session.on("Page.frameNavigated", ({ frame }) => {
      if (frame.id === tab.mainFrameId && frame.loaderId === this.#coming?.id) this.#arrive(true);
    });
    tab.session.on("Network.loadingFailed", ({ requestId }) => {
      if (requestId === this.#coming?.id) this.#arrive(false);
    });
    tab.requests.add(ANSWERS, (paused) => this.#judge(paused));
  }

  /** The last one that the browser shows, or that came in its place. */
  get latest(): ReceivedDocument | undefined {
    return this.#latest;
  }

  /** Returns once what is coming has come, at the latest when the time is over in which a page has to be ready. */
  async settled(signal: AbortSignal): Promise<void> {
    const endsAtMs = performance.now() + this.#visit.browser.readyWithinMs;
    while (this.#coming && performance.now() < endsAtMs) await sleep(POLL_MS, undefined, { signal });
  }

  /** Takes the bodies of pages, too, from now on. */
  takePages(): void {
    this.#takesPages = true;
  }

  /** What the tab opens from now on is not the page's doing. */
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
    // What is asked for as a download has no id. Downloads leave the page that offers them as it is.
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
    // The browser does not tell that a connection broke off.
    if (encoding === undefined && body.byteLength < Number(length ?? 0)) return BROKEN_OFF;
    const { kind } = await detectFile(body, type, head.url);
    const { inBrowser } = kindNamed(kind);
    const document = { ...head, body, isPage: inBrowser === "rendered" };
    // A page that goes on to what nobody can read stays, as it does for people.
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

/** Type of a content-type header, where browsers make pages of what has it. */
export function pageTypeOf(contentType: string | undefined): string | undefined {
  return PAGE_TYPES.find((type) => type === statedType(contentType));
}

async function handedOver({ url, status, headers: list, body }: HandOver): Promise<ReceivedDocument> {
  const headers = headersByName(list);
  const { kind } = await detectFile(body, headers["content-type"], url);
  const isPage = kindNamed(kind).inBrowser === "rendered";
  return { url, status, reason: reasonOf(status), headers, body, isPage, isOpen: true };
}

/** Undefined for redirects, and for requests that had no answer. */
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
