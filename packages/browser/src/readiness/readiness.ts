import { setTimeout as sleep } from "node:timers/promises";

import { untilAborted } from "@pergamon-dev/kit/single-flight";
import type { Protocol } from "devtools-protocol";
import { PageActivity } from "./page-activity.ts";
import { judgeReadiness, type PageReport } from "./readiness-policy.ts";
import { startProbe } from "../programs/readiness.ts";
import type { BrowserTab } from "../tab/tab.ts";

/** Name of the isolated world of our scripts. Pages cannot see what is in it. */
const PROBE_WORLD = "pergamon";

/** A page whose own clock does not answer within this time is too busy to ask. */
const CONFIRM_LIMIT_MS = 1_000;
const MAX_UNANSWERED = 3;

/** Waits until a page may be captured: the smart wait. */
interface Readiness {
  /**
   * Returns once the page seems complete, or when the budget is used up, with the reason `budget`. May be
   * called again, for example after a click.
   * @throws BrowserFailure when the tab is lost; the signal's reason once it is aborted.
   */
  ready(signal: AbortSignal, options: ReadyOptions): Promise<string>;
  /** Characters of main text when the page was last measured. */
  readonly mainText: number;
}

interface ReadyOptions {
  /** After this time a page counts as ready, even if it is still busy. */
  readonly budgetMs: number;
  /** Whether the layout must also be stable, which matters for images of the page, not for its text. */
  readonly needsStillLayout?: boolean;
}

/** Starts to watch the page. Call it before navigation. */
export function watchReadiness(tab: BrowserTab): Readiness {
  return new Watch(tab);
}

type Outcome = "ready" | "changed" | "unanswered";

class Watch implements Readiness {
  readonly #tab: BrowserTab;
  readonly #activity: PageActivity;
  #contextId: number | undefined;
  /** Number of the document that the probe is in. */
  #epoch = 0;
  #wake = () => {};

  constructor(tab: BrowserTab) {
    this.#tab = tab;
    this.#activity = new PageActivity(tab, () => this.#wake());
    tab.session.on("Page.frameNavigated", ({ frame }) => {
      if (frame.id !== tab.mainFrameId) return;
      this.#activity.startDocument();
      void this.#listen();
    });
  }

  get mainText(): number {
    return this.#activity.state().report?.mainText ?? 0;
  }

  async ready(signal: AbortSignal, { budgetMs, needsStillLayout = false }: ReadyOptions): Promise<string> {
    const endsAtMs = performance.now() + budgetMs;
    let unanswered = 0;
    while (performance.now() < endsAtMs) {
      signal.throwIfAborted();
      if (this.#tab.failure) throw this.#tab.failure;
      const nowMs = performance.now();
      const judgement = judgeReadiness(this.#activity.state(), nowMs);
      if ("againInMs" in judgement) {
        await this.#happening(Math.min(judgement.againInMs, endsAtMs - nowMs), signal);
        continue;
      }
      const outcome = await this.#confirm(needsStillLayout, signal);
      if (outcome === "unanswered") unanswered += 1;
      else if (outcome === "changed") this.#activity.change();
      if (outcome === "ready" || unanswered >= MAX_UNANSWERED) return judgement.readyBecause;
    }
    return "budget";
  }

  /** Returns when something has happened, or the time is over. */
  async #happening(delayMs: number, signal: AbortSignal): Promise<void> {
    const done = new AbortController();
    const happened = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    const waited = sleep(delayMs, undefined, { signal: done.signal }).catch(() => undefined);
    try {
      await untilAborted(Promise.race([happened, waited]), signal);
    } finally {
      done.abort();
    }
  }

  /** The page's own clock decides: overdue timers of a starved page run before it answers. */
  async #confirm(withFrames: boolean, signal: AbortSignal): Promise<Outcome> {
    const epoch = this.#epoch;
    const done = new AbortController();
    const limit = AbortSignal.any([done.signal, signal]);
    try {
      const answer = await Promise.race([
        this.#evaluate(`probe.confirm(${withFrames})`, limit),
        sleep(CONFIRM_LIMIT_MS, undefined, { signal: limit }),
      ]);
      if (epoch !== this.#epoch || answer === false) return "changed";
      return answer === true ? "ready" : "unanswered";
    } catch {
      signal.throwIfAborted();
      if (this.#tab.failure) throw this.#tab.failure;
      return epoch === this.#epoch ? "unanswered" : "changed";
    } finally {
      done.abort();
    }
  }

  /** Receives the probe's reports until the document is replaced. */
  async #listen(): Promise<void> {
    this.#epoch += 1;
    const epoch = this.#epoch;
    try {
      await this.#installProbe();
      while (epoch === this.#epoch) {
        const text = await this.#evaluate("probe.next()");
        if (epoch !== this.#epoch || typeof text !== "string") return;
        this.#activity.report(JSON.parse(text) as PageReport & { isParsed: boolean });
      }
    } catch {
      // The document is gone. The next one calls this again.
    }
  }

  async #installProbe(): Promise<void> {
    const { session, mainFrameId: frameId } = this.#tab;
    const world = await session.send("Page.createIsolatedWorld", { frameId, worldName: PROBE_WORLD });
    this.#contextId = world.executionContextId;
    await this.#evaluate(`(${startProbe})()`);
  }

  async #evaluate(expression: string, signal?: AbortSignal): Promise<unknown> {
    const context = this.#contextId === undefined ? {} : { contextId: this.#contextId };
    const request: Protocol.Runtime.EvaluateRequest = { expression, ...context, returnByValue: true };
    const options = signal ? { signal } : {};
    const answer = await this.#tab.session.send(
      "Runtime.evaluate",
      { ...request, awaitPromise: true },
      options,
    );
    return answer.result.value as unknown;
  }
}
