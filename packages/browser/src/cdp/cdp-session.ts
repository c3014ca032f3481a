import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.js";

import type { BrowserFailure } from "./browser-failure.ts";

export type CdpMethod = keyof ProtocolMapping.Commands;
type CdpParams<Method extends CdpMethod> = NonNullable<ProtocolMapping.Commands[Method]["paramsType"][0]>;
type CdpResult<Method extends CdpMethod> = ProtocolMapping.Commands[Method]["returnType"];
export type CdpEvent = keyof ProtocolMapping.Events;
type CdpEventParams<Event extends CdpEvent> = ProtocolMapping.Events[Event][0];

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

/** The part of the connection that a session uses. */
export interface SessionLink {
  /** Sends a command and returns its id. */
  post(
    session: CdpSession,
    message: { readonly method: string; readonly params: unknown; readonly sessionId?: string },
  ): number;
  forget(id: number): void;
  session(sessionId: string): CdpSession;
  /** Registers a listener for this event. */
  hear(event: string): void;
}

interface PendingCall {
  readonly method: string;
  resolve(result: unknown): void;
  reject(failure: unknown): void;
}

type Listener = (params: unknown) => void;

/**
 * A session with one target. Once the target crashes or closes, or the browser is lost, every pending and
 * later command rejects with the same BrowserFailure.
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

  /** Sends a command and ignores its outcome, for example when a closing tab may no longer answer. */
  post<Method extends CdpMethod>(method: Method, params?: CdpParams<Method>): void {
    this.send(method, params).catch(() => undefined);
  }

  /** Session of another target on the same connection. */
  other(sessionId: string): CdpSession {
    return this.#link.session(sessionId);
  }

  /** Listens to an event of the target, whose domain must be enabled. Returns a function that stops it. */
  on<Event extends CdpEvent>(event: Event, listener: (params: CdpEventParams<Event>) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners);
    this.#link.hear(event);
    listeners.add(listener as Listener);
    return () => listeners.delete(listener as Listener);
  }

  /** Calls the listener once the session has failed; at once if it already has. */
  whenFailed(listener: (failure: BrowserFailure) => void): void {
    if (this.#failure) listener(this.#failure);
    else this.#whenFailed.push(listener);
  }

  /** The connection calls this for each event. */
  emit(event: CdpEvent, params: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(params);
  }

  /** The connection calls this for each answer. */
  settle(id: number, result: unknown, problem: string | undefined): void {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    if (problem === undefined) call?.resolve(result);
    else call?.reject(new CdpError(call.method, problem));
  }

  /** Ends the session. The first failure counts. */
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
