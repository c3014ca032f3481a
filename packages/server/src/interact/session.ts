import { randomBytes } from "node:crypto";
import type { Caller } from "../accounts/callers.ts";
import { ServiceError } from "../api/errors.ts";
import { startDeadline } from "@pergamon-dev/kit/deadline";
import { Gate } from "@pergamon-dev/kit/gate";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import type { Clock } from "../storage/clock/clock.ts";
import type { LastingSlot } from "../accounts/slot.ts";
import { endOfSession } from "./end-of-session.ts";
import type { SessionMeter } from "./session-meter.ts";
import type { SessionPage } from "./session-page.ts";
import type { CodeRunner } from "./languages/code-runner.ts";
import type { OpenedBrowser, OpenRunner } from "./session-parts.ts";
import { SessionSteps } from "./session-steps.ts";
import type { Ended, EndReason, SessionRow, SessionRows } from "./session-rows.ts";

/** Properties that do not change while a session lives. */
type SessionFacts = Pick<SessionRow, "id" | "scrapeId" | "createdAtMs" | "expiresAtMs" | "streams">;

interface SessionParts {
  readonly facts: SessionFacts;
  readonly caller: Caller;
  readonly idleMs: number;
  /** True: pages that try to steer the model are never shown to it. */
  readonly refusesInjection: boolean;
  readonly browser: OpenedBrowser;
  readonly page: SessionPage;
  readonly meter: SessionMeter;
  readonly slot: LastingSlot;
  readonly clock: Clock;
  readonly rows: SessionRows;
  readonly openRunner: OpenRunner;
  /** Tag of this process, where other processes pass requests on to it. */
  readonly nodeTag?: string | undefined;
  /** Charges a smaller amount when the team has less left. */
  readonly settleRest: (row: SessionRow, reason: EndReason) => Promise<void>;
  /** Called with unexpected failures that nothing else reports. */
  readonly onError: (failure: unknown) => void;
}

export interface SessionEnd {
  readonly durationMs: number;
  readonly credits: number;
}

export interface CallOptions {
  readonly timeoutMs: number;
  readonly isPrompted: boolean;
  /** Aborts when no caller waits for the answer any more. */
  readonly signal: AbortSignal;
}

interface CallTurn {
  readonly browser: OpenedBrowser;
  /** Aborts when the call's time is over, no caller waits for it, or the session ends. */
  readonly signal: AbortSignal;
  /** Rest of the call's time, in whole milliseconds. */
  readonly timeoutMs: number;
}

/** How long saving a profile may delay the end. */
const SAVE_LIMIT_MS = 15_000;

/** A live session: a browser on a page, for one team. It serves calls one after the other. */
export class Session {
  readonly facts: SessionFacts;
  readonly caller: Caller;
  readonly refusesInjection: boolean;
  readonly steps: SessionSteps;
  readonly tokens: ReturnType<typeof makeSessionTokens>;
  readonly #parts: SessionParts;
  readonly #turns = new Gate(1);
  readonly #ending = new AbortController();
  readonly #cancelLife: () => void;
  readonly #idle: IdleTimer;
  #runner: Promise<CodeRunner> | undefined;
  #lastUsedMs: number;
  #ended: Promise<SessionEnd> | undefined;
  #whenEnded: () => void = () => undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.facts = parts.facts;
    this.caller = parts.caller;
    this.tokens = makeSessionTokens(parts.nodeTag);
    this.refusesInjection = parts.refusesInjection;
    this.steps = new SessionSteps(parts.caller.team);
    this.#lastUsedMs = parts.clock.now();
    const { createdAtMs, expiresAtMs } = parts.facts;
    const lifeMs = expiresAtMs - createdAtMs - parts.meter.durationMs;
    this.#cancelLife = parts.clock.after(Math.max(0, lifeMs), () => this.endLater("expired"));
    parts.slot.revoked.addEventListener("abort", () => this.endLater("revoked"), { once: true });
    parts.browser.onLost(() => this.endLater("browser-lost"));
    this.#idle = new IdleTimer({
      idleMs: parts.idleMs,
      clock: parts.clock,
      usedMs: () => this.#usedMs(),
      onIdle: () => this.endLater("idle"),
    });
    this.#idle.start();
    if (parts.slot.revoked.aborted) this.endLater("revoked");
  }

  get browser(): OpenedBrowser {
    return this.#parts.browser;
  }

  /** Price of the session if it ended now. */
  get price(): number {
    return this.#parts.meter.price;
  }

  get isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Calls the listener when the session begins to end. */
  whenEnding(listener: () => void): void {
    this.#ending.signal.addEventListener("abort", listener, { once: true });
  }

  /** Calls the listener when all resources of the session are released. */
  whenEnded(listener: () => void): void {
    this.#whenEnded = listener;
  }

  /** Last use by a call or by a client of its browser. */
  get lastUsedAtMs(): number {
    return Date.now() - (this.#parts.clock.now() - this.#usedMs());
  }

  /**
   * Serves a call in its turn. Waiting for earlier calls counts towards its time.
   * @throws ServiceError SESSION_DESTROYED when the session ends meanwhile; insufficient_credits for a prompt
   *   that the team cannot pay; CONCURRENCY_QUEUE_TIMEOUT when earlier calls use up its time.
   */
  async call<Result>(
    { timeoutMs, isPrompted, signal }: CallOptions,
    work: (turn: CallTurn) => Promise<Result>,
  ): Promise<Result> {
    this.#ending.signal.throwIfAborted();
    const untilMs = performance.now() + timeoutMs;
    const waiting = startDeadline(timeoutMs, () => new ServiceError("CONCURRENCY_QUEUE_TIMEOUT"), signal);
    const turn = AbortSignal.any([waiting.signal, this.#ending.signal]);
    return this.#turns
      .run(async () => {
        waiting.clear();
        await this.#begin(isPrompted);
        const left = Math.max(1, Math.ceil(untilMs - performance.now()));
        const until = AbortSignal.any([signal, this.#ending.signal]);
        const result = work({ browser: this.#parts.browser, signal: until, timeoutMs: left });
        return untilAborted(result, this.#ending.signal).finally(() => this.#finish());
      }, turn)
      .finally(() => waiting.clear());
  }

  /** Code runner of the page, opened on first use. */
  async runner(): Promise<CodeRunner> {
    this.#runner ??= this.#parts.openRunner(this.#parts.browser);
    try {
      return await this.#runner;
    } catch (failure) {
      this.#runner = undefined;
      throw failure;
    }
  }

  /**
   * Ends the session: it can no longer be reached, its profile is saved, its browser is closed and its time
   * is charged. The first reason counts, and all callers get the same result.
   * @throws ServiceError SESSION_NOT_ENDED when it could not be charged. The charge is retried automatically.
   */
  end(reason: EndReason): Promise<SessionEnd> {
    this.#ended ??= this.#end(reason);
    return this.#ended;
  }

  /** Like `end`, when no caller waits for it. */
  endLater(reason: EndReason): void {
    this.end(reason).catch(this.#parts.onError);
  }

  async #end(reason: EndReason): Promise<SessionEnd> {
    const { meter, facts, slot } = this.#parts;
    const credits = meter.price;
    const { durationMs } = meter;
    this.#cancelLife();
    this.#idle.stop();
    this.#ending.abort(new ServiceError("SESSION_DESTROYED"));
    const ended = { id: facts.id, endedAtMs: facts.createdAtMs + Math.round(durationMs), credits, reason };
    const [settled] = await Promise.allSettled([this.#settle(ended), this.#close(reason)]);
    slot.end();
    this.#whenEnded();
    if (settled.status === "rejected")
      throw new ServiceError("SESSION_NOT_ENDED", { cause: settled.reason as unknown });
    return { durationMs: Math.round(durationMs), credits: settled.value };
  }

  /** @returns the charged credits. */
  async #settle(ended: Ended): Promise<number> {
    const { meter, rows, settleRest, facts, caller } = this.#parts;
    const { id, credits, reason, endedAtMs } = ended;
    try {
      const end = endOfSession({ ...facts, payer: caller.payer }, ended);
      await meter.charge({ ...end, alsoWrite: rows.ending(ended) });
    } catch (failure) {
      const row = await rows.get(id);
      if (!row || !isShort(failure)) throw failure;
      await settleRest({ ...row, lastUsedAtMs: endedAtMs }, reason);
    }
    return (await rows.get(id))?.credits ?? credits;
  }

  async #close(reason: EndReason): Promise<void> {
    const { browser, page, onError } = this.#parts;
    const runner = await this.#runner?.catch(() => undefined);
    await runner?.close().catch(onError);
    const signal = AbortSignal.timeout(SAVE_LIMIT_MS);
    await page.leave({ isLost: reason === "browser-lost", signal }).catch(onError);
    await browser.close().catch(onError);
  }

  async #begin(isPrompted: boolean): Promise<void> {
    this.#idle.stop();
    if (isPrompted) await this.#parts.meter.raise();
    if (await this.#parts.rows.touch(this.facts.id, { isPrompted })) return;
    this.endLater("lost");
    throw new ServiceError("SESSION_DESTROYED");
  }

  #finish(): void {
    this.#lastUsedMs = this.#parts.clock.now();
    if (this.isEnding) return;
    this.#parts.rows.touch(this.facts.id).catch(this.#parts.onError);
    this.#idle.start();
  }

  /** Clients of the browser use it without calls. */
  #usedMs(): number {
    return Math.max(this.#lastUsedMs, this.#parts.browser.confined.lastCommandAtMs ?? 0);
  }
}

function isShort(failure: unknown): boolean {
  return failure instanceof ServiceError && failure.code === "insufficient_credits";
}

/** Secrets in the URLs of a session. Whoever knows one needs no key. They end with the session. */
interface SessionTokens {
  readonly cdp: string;
  readonly liveView: string;
  readonly interactiveLiveView: string;
}

const TOKEN_BYTES = 32;

/** @param nodeTag prefix that tells other processes where the tokens belong. */
function makeSessionTokens(nodeTag = ""): SessionTokens {
  const make = () => `${nodeTag}${randomBytes(TOKEN_BYTES).toString("base64url")}`;
  return { cdp: make(), liveView: make(), interactiveLiveView: make() };
}

interface IdleTimerOptions {
  readonly idleMs: number;
  readonly clock: Clock;
  /** Time of the last use, by the same clock. */
  readonly usedMs: () => number;
  readonly onIdle: () => void;
}

/** Fires when something has been unused for the given time. */
class IdleTimer {
  readonly #options: IdleTimerOptions;
  #cancel: () => void = () => undefined;

  constructor(options: IdleTimerOptions) {
    this.#options = options;
  }

  /** Starts or restarts the wait. */
  start(): void {
    this.stop();
    this.#cancel = this.#options.clock.after(Math.max(1, this.#leftMs()), () => this.#look());
  }

  stop(): void {
    this.#cancel();
  }

  #look(): void {
    if (this.#leftMs() <= 0) this.#options.onIdle();
    else this.start();
  }

  #leftMs(): number {
    const { idleMs, usedMs, clock } = this.#options;
    return usedMs() + idleMs - clock.now();
  }
}
