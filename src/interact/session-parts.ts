import type { BrowserTab } from "../platform/browser/tab/tab.ts";
import type { Proxy } from "../platform/net/proxies.ts";

/** What clients of a session may reach of its browser. */
export interface ConfinedPart {
  /** When the last command of a client came, in milliseconds of `performance.now()`; undefined before the first. */
  readonly lastCommandAtMs: number | undefined;
}

/** The browser of one session: a process of its own, with one context and the page that is worked on. */
export interface SessionBrowser<Confined extends ConfinedPart = ConfinedPart> {
  readonly tab: BrowserTab;
  readonly confined: Confined;
  /** Told once when the browser has gone by itself. */
  onLost(listener: () => void): void;
  close(): Promise<void>;
}

export interface BrowserWish {
  readonly proxy: Proxy | undefined;
  readonly skipTlsVerification: boolean;
}

/** @throws BrowserFailure when there is none; the signal's reason. */
export type OpenSessionBrowser = (wish: BrowserWish, signal: AbortSignal) => Promise<SessionBrowser>;

/** One piece of code. */
export interface CodeCall {
  readonly language: "node" | "python" | "bash";
  readonly code: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What came of it. */
export interface CodeResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly result: string;
  readonly exitCode: number;
  readonly killed: boolean;
  readonly truncated: boolean;
  /** What the code threw. */
  readonly error?: string;
}

/** Runs code on the page of a session, one piece after the other; global variables stay where the language keeps them. */
export interface CodeRunner {
  /** @throws ServiceError INTERACT_UNAVAILABLE with the reason, when this cannot be run here. */
  run(call: CodeCall): Promise<CodeResult>;
  close(): Promise<void>;
}

export type OpenRunner = (browser: SessionBrowser) => Promise<CodeRunner>;
