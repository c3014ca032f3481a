import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.js";

import { BrowserFailure } from "./browser-failure.ts";

export type CdpMethod = keyof ProtocolMapping.Commands;
export type CdpParams<Method extends CdpMethod> = NonNullable<
  ProtocolMapping.Commands[Method]["paramsType"][0]
>;
export type CdpResult<Method extends CdpMethod> = ProtocolMapping.Commands[Method]["returnType"];
export type CdpEvent = keyof ProtocolMapping.Events;
export type CdpEventParams<Event extends CdpEvent> = ProtocolMapping.Events[Event][0];

/** The way messages travel: a pipe to a process of ours, or a WebSocket to a remote browser. */
export interface CdpTransport {
  send(message: string): void;
  close(): void;
}

/** The error of an answer that is longer than any page that we accept. */
export const TOO_LARGE = "The answer is too large.";

/** The browser answered a command with an error. */
export class CdpError extends Error {
  override readonly name = "CdpError";

  constructor(
    readonly method: string,
    message: string,
  ) {
    super(`${method}: ${message}`);
  }
}

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

/** What a session needs of its connection. */
interface SessionLink {
  /** Sends a command and returns its id. */
  post(
    session: CdpSession,
    message: { readonly method: string; readonly params: unknown; readonly sessionId?: string },
  ): number;
  forget(id: number): void;
  /** Somebody listens to this event. */
  hear(event: string): void;
}

interface PendingCall {
  readonly method: string;
  resolve(result: unknown): void;
  reject(failure: unknown): void;
}

type Listener = (params: unknown) => void;

/**
 * A conversation with one target. Once the target crashed, was closed, or the browser is lost, everything pending
 * and everything sent later rejects with the same BrowserFailure.
 */
export class CdpSession {
  readonly #id: string | undefined;
  readonly #link: SessionLink;
  readonly #pending = new Map<number, PendingCall>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #whenFailed: ((failure: BrowserFailure) => void)[] = [];
  #failure: BrowserFailure | undefined;

  constructor(id: string | undefined, link: SessionLink) {
    this.#id = id;
    this.#link = link;
  }

  /** Undefined while the session works. */
  get failure(): BrowserFailure | undefined {
    return this.#failure;
  }

  /**
   * Sends a command.
   * @throws CdpError when the browser refuses it, BrowserFailure when the target is gone, or the signal's reason.
   */
  async send<Method extends CdpMethod>(
    method: Method,
    params?: CdpParams<Method>,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<CdpResult<Method>> {
    signal?.throwIfAborted();
    if (this.#failure) throw this.#failure;
    let giveUp: (() => void) | undefined;
    try {
      return await new Promise<CdpResult<Method>>((resolve, reject) => {
        const route = this.#id === undefined ? {} : { sessionId: this.#id };
        const id = this.#link.post(this, { method, params: params ?? {}, ...route });
        this.#pending.set(id, { method, resolve, reject });
        giveUp = () => {
          this.#pending.delete(id);
          this.#link.forget(id);
          reject(signal?.reason as Error);
        };
        signal?.addEventListener("abort", giveUp, { once: true });
      });
    } finally {
      if (giveUp) signal?.removeEventListener("abort", giveUp);
    }
  }

  /** Sends a command whose outcome does not matter, such as one that a closing tab may no longer answer. */
  post<Method extends CdpMethod>(method: Method, params?: CdpParams<Method>): void {
    this.send(method, params).catch(() => undefined);
  }

  /** Listens to an event of the target. Returns what ends it. The domain has to be enabled. */
  on<Event extends CdpEvent>(event: Event, listener: (params: CdpEventParams<Event>) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners);
    this.#link.hear(event);
    listeners.add(listener as Listener);
    return () => listeners.delete(listener as Listener);
  }

  /** Calls the listener once the session has failed; at once if it has. */
  whenFailed(listener: (failure: BrowserFailure) => void): void {
    if (this.#failure) listener(this.#failure);
    else this.#whenFailed.push(listener);
  }

  /** Of the connection: an event came in. */
  emit(event: CdpEvent, params: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(params);
  }

  /** Of the connection: an answer came in. */
  settle(id: number, result: unknown, problem: string | undefined): void {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    if (problem === undefined) call?.resolve(result);
    else call?.reject(new CdpError(call.method, problem));
  }

  /** Ends the session; the first failure counts. */
  fail(failure: BrowserFailure): void {
    if (this.#failure) return;
    this.#failure = failure;
    for (const [id, call] of this.#pending) {
      this.#link.forget(id);
      call.reject(failure);
    }
    this.#pending.clear();
    for (const listener of this.#whenFailed) listener(failure);
  }
}
