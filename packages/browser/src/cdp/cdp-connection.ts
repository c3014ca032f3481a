import { BrowserFailure } from "./browser-failure.ts";
import { type CdpEvent, CdpSession, type SessionLink } from "./cdp-session.ts";
import { sessionIdOf } from "./message-tail.ts";

/** Transports messages over a pipe to a process of ours, or over a WebSocket to a remote browser. */
export interface CdpTransport {
  send(message: string): void;
  close(): void;
}

/** Error of an answer that is longer than any page that we accept. */
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
const ANSWER_START = '{"id":';
/** Longer than any id. */
const ID_DIGITS = 17;

/** A command that a client sends through this connection, and whose answer this connection does not parse. */
interface ForwardedCommand {
  readonly method: string;
  readonly params: unknown;
  readonly sessionId: string;
}

/** Called with the unparsed text of each event of one session. */
type RelayEvent = (method: string, text: string) => void;

/**
 * Returns the event name of a message without parsing it: most events have no listener, and pages can make
 * them large and many. Undefined for answers.
 */
function eventOf(text: string): string | undefined {
  if (!text.startsWith(EVENT_START)) return undefined;
  return text.slice(EVENT_START.length, text.indexOf('"', EVENT_START.length));
}

function answerIdOf(text: string): number {
  return text.startsWith(ANSWER_START)
    ? Number.parseInt(text.slice(ANSWER_START.length, ANSWER_START.length + ID_DIGITS), 10)
    : Number.NaN;
}

/** One connection to a browser, shared by flat sessions. */
export class CdpConnection {
  readonly #transport: CdpTransport;
  readonly #sessions = new Map<string, CdpSession>();
  readonly #pendingIds = new Map<number, CdpSession>();
  readonly #forwarded = new Map<number, (text: string) => void>();
  readonly #relays = new Map<string, RelayEvent>();
  readonly #whenLost: ((failure: BrowserFailure) => void)[] = [];
  /** Names of all events that ever had a listener. */
  readonly #heardEvents = new Set<string>(["Target.detachedFromTarget"]);
  #failure: BrowserFailure | undefined;
  #lastId = 0;

  /** Session of the browser itself: targets, contexts, storage. */
  readonly browser: CdpSession;

  constructor(transport: CdpTransport) {
    this.#transport = transport;
    this.browser = new CdpSession(undefined, this.#link());
  }

  session(sessionId: string): CdpSession {
    const known = this.#sessions.get(sessionId);
    if (known) return known;
    const session = new CdpSession(sessionId, this.#link());
    this.#sessions.set(sessionId, session);
    if (this.#failure) session.fail(this.#failure);
    return session;
  }

  /** Ends a session of ours. Its target continues. */
  detach(sessionId: string): void {
    this.browser.post("Target.detachFromTarget", { sessionId });
    this.#detach({ sessionId });
  }

  /** Handles one message of the browser. */
  receive(text: string): void {
    const event = eventOf(text);
    if (this.#handOn(event, text)) return;
    if (event !== undefined && !this.#heardEvents.has(event)) return;
    const message = JSON.parse(text) as Message;
    if (message.id !== undefined) return this.#settle(message.id, message);
    const session = message.sessionId === undefined ? this.browser : this.#sessions.get(message.sessionId);
    if (message.method !== undefined) session?.emit(message.method as CdpEvent, message.params);
    if (message.method === "Target.detachedFromTarget") this.#detach(message.params as { sessionId: string });
  }

  /**
   * Sends a command in a session that another program uses. The unparsed answer goes to `answered`.
   * @throws RangeError when the parameters are nested too deeply to be serialized
   */
  forward({ method, params, sessionId }: ForwardedCommand, answered: (text: string) => void): number {
    const id = this.#lastId + 1;
    const text = JSON.stringify({ id, method, params, sessionId });
    this.#lastId = id;
    this.#forwarded.set(id, answered);
    this.#transport.send(text);
    return id;
  }

  /** Drops the answer to a forwarded command. */
  forget(id: number): void {
    this.#forwarded.delete(id);
  }

  /** Passes the unparsed events of a session to the listener. Returns a function that stops it. */
  relay(sessionId: string, listener: RelayEvent): () => void {
    this.#relays.set(sessionId, listener);
    return () => this.#relays.delete(sessionId);
  }

  /** Fails everything that is pending. Called when the transport breaks. */
  fail(failure: BrowserFailure): void {
    if (this.#failure) return;
    this.#failure = failure;
    this.browser.fail(failure);
    for (const session of this.#sessions.values()) session.fail(failure);
    this.#forwarded.clear();
    this.#relays.clear();
    for (const listener of this.#whenLost) listener(failure);
  }

  /** Calls the listener once the connection is lost; at once if it already is. */
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
      session: (sessionId) => this.session(sessionId),
      forget: (id) => this.#pendingIds.delete(id),
      hear: (event) => this.#heardEvents.add(event),
    };
  }

  /** @returns whether the message belongs to another client. It is not parsed then. */
  #handOn(event: string | undefined, text: string): boolean {
    if (event !== undefined) {
      const relay = this.#relays.size === 0 ? undefined : this.#relays.get(sessionIdOf(text) ?? "");
      relay?.(event, text);
      return relay !== undefined;
    }
    if (this.#forwarded.size === 0) return false;
    const id = answerIdOf(text);
    const answered = this.#forwarded.get(id);
    this.#forwarded.delete(id);
    answered?.(text);
    return answered !== undefined;
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
