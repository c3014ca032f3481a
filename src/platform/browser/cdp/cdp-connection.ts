import { BrowserFailure } from "./browser-failure.ts";
import { type CdpEvent, CdpSession, type SessionLink } from "./cdp-session.ts";

/** The way messages travel: a pipe to a process of ours, or a WebSocket to a remote browser. */
export interface CdpTransport {
  send(message: string): void;
  close(): void;
}

/** The error of an answer that is longer than any page that we accept. */
export const TOO_LARGE = "The answer is too large.";

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const EVENT_START = '{"method":"';

/**
 * The name of the event that a message tells, without reading the message: most events interest nobody, and pages can
 * make them large and many. Undefined for answers.
 */
function eventOf(text: string): string | undefined {
  if (!text.startsWith(EVENT_START)) return undefined;
  return text.slice(EVENT_START.length, text.indexOf('"', EVENT_START.length));
}

/** One connection to a browser, shared by flat sessions. */
export class CdpConnection {
  readonly #transport: CdpTransport;
  readonly #sessions = new Map<string, CdpSession>();
  readonly #pendingIds = new Map<number, CdpSession>();
  readonly #whenLost: ((failure: BrowserFailure) => void)[] = [];
  /** Names of events that anybody has ever listened to. */
  readonly #heardEvents = new Set<string>(["Target.detachedFromTarget"]);
  #failure: BrowserFailure | undefined;
  #lastId = 0;

  /** The session of the browser itself: targets, contexts, storage. */
  readonly browser: CdpSession;

  constructor(transport: CdpTransport) {
    this.#transport = transport;
    this.browser = new CdpSession(undefined, this.#link());
  }

  /** The session of an attached target. */
  session(sessionId: string): CdpSession {
    const known = this.#sessions.get(sessionId);
    if (known) return known;
    const session = new CdpSession(sessionId, this.#link());
    this.#sessions.set(sessionId, session);
    if (this.#failure) session.fail(this.#failure);
    return session;
  }

  /** Takes in one message of the browser. */
  receive(text: string): void {
    const event = eventOf(text);
    if (event !== undefined && !this.#heardEvents.has(event)) return;
    const message = JSON.parse(text) as Message;
    if (message.id !== undefined) return this.#settle(message.id, message);
    const session = message.sessionId === undefined ? this.browser : this.#sessions.get(message.sessionId);
    if (message.method !== undefined) session?.emit(message.method as CdpEvent, message.params);
    if (message.method === "Target.detachedFromTarget") this.#detach(message.params as { sessionId: string });
  }

  /** Ends everything that is pending. Called when the transport breaks. */
  fail(failure: BrowserFailure): void {
    if (this.#failure) return;
    this.#failure = failure;
    this.browser.fail(failure);
    for (const session of this.#sessions.values()) session.fail(failure);
    for (const listener of this.#whenLost) listener(failure);
  }

  /** Calls the listener once the connection is lost; at once if it is. */
  whenLost(listener: (failure: BrowserFailure) => void): void {
    if (this.#failure) listener(this.#failure);
    else this.#whenLost.push(listener);
  }

  get isLost(): boolean {
    return this.#failure !== undefined;
  }

  close(): void {
    this.#transport.close();
    this.fail(new BrowserFailure("browser-lost", "The connection to the browser was closed."));
  }

  #link(): SessionLink {
    return {
      post: (session, message) => {
        this.#lastId += 1;
        this.#pendingIds.set(this.#lastId, session);
        this.#transport.send(JSON.stringify({ id: this.#lastId, ...message }));
        return this.#lastId;
      },
      forget: (id) => this.#pendingIds.delete(id),
      hear: (event) => this.#heardEvents.add(event),
    };
  }

  #settle(id: number, message: Message): void {
    const session = this.#pendingIds.get(id);
    this.#pendingIds.delete(id);
    session?.settle(id, message.result, message.error?.message);
  }

  #detach({ sessionId }: { readonly sessionId: string }): void {
    this.#sessions.get(sessionId)?.fail(new BrowserFailure("tab-closed", "The tab was closed."));
    this.#sessions.delete(sessionId);
  }
}
