import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export interface LimitSetUp {
  readonly databaseUrl: string;
  readonly placeTtlMs?: number;
}

/** What users of a process do again and again, each for itself. */
export type LimitOrder =
  | {
      readonly kind: "enter";
      readonly slot: string;
      readonly limit: number;
      readonly users: number;
      readonly holdMs: number;
      readonly restMs: number;
    }
  | {
      readonly kind: "count";
      readonly key: string;
      readonly limit: number;
      readonly windowMs: number;
      readonly users: number;
      readonly restMs: number;
    }
  | { readonly kind: "stop" }
  | { readonly kind: "close" };

export type LimitEvent =
  | { readonly kind: "ready" }
  | { readonly kind: "in"; readonly atMs: number; readonly waitedMs: number }
  | { readonly kind: "out"; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: "passed"; readonly askedMs: number; readonly atMs: number }
  | { readonly kind: "stopped"; readonly cpuUs: number }
  | { readonly kind: "failure"; readonly text: string };

/** From when to when something was held or asked, by the clock of the machine. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const PROGRAM = fileURLToPath(new URL("limit-process.ts", import.meta.url));

/** One process that uses limits, and what it has reported. */
export class LimitProcess {
  readonly #child: ChildProcess;
  readonly visits: Span[] = [];
  readonly passes: Span[] = [];
  readonly entered: { readonly atMs: number; readonly waitedMs: number }[] = [];
  readonly failures: string[] = [];
  readonly #inside = new Set<number>();
  isReady = false;
  /** Of its whole life, when it was stopped last. */
  cpuUs = 0;
  #stops = 0;

  constructor(setUp: LimitSetUp) {
    this.#child = fork(PROGRAM, [JSON.stringify(setUp)], { execArgv: ["--import", "tsx"] });
    this.#child.on("message", (event: LimitEvent) => this.#note(event));
  }

  order(order: LimitOrder): void {
    this.#child.send(order);
  }

  /** All of its work ends; what is held is given back first. */
  async stop(): Promise<void> {
    const before = this.#stops;
    this.order({ kind: "stop" });
    await until(() => this.#stops > before);
  }

  async close(): Promise<void> {
    if (this.#hasEnded) return;
    const ended = once(this.#child, "exit");
    this.order({ kind: "close" });
    await ended;
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#child.kill(signal);
  }

  /** What it held ended with it. */
  async kill(): Promise<void> {
    if (this.#hasEnded) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
    const toMs = Number(process.hrtime.bigint()) / 1e6;
    for (const fromMs of this.#inside) this.visits.push({ fromMs, toMs });
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #note(event: LimitEvent): void {
    if (event.kind === "ready") this.isReady = true;
    else if (event.kind === "failure") this.failures.push(event.text);
    else if (event.kind === "passed") this.passes.push({ fromMs: event.askedMs, toMs: event.atMs });
    else if (event.kind === "in") {
      this.entered.push(event);
      this.#inside.add(event.atMs);
    } else if (event.kind === "out") {
      this.#inside.delete(event.fromMs);
      this.visits.push({ fromMs: event.fromMs, toMs: event.toMs });
    } else {
      this.cpuUs = event.cpuUs;
      this.#stops += 1;
    }
  }
}

/** @throws when it does not become so within a minute. */
export async function until(isSo: () => boolean, limitMs = 60_000): Promise<void> {
  const giveUpAtMs = performance.now() + limitMs;
  while (!isSo()) {
    if (performance.now() > giveUpAtMs) throw new Error("What is waited for did not happen.");
    await pause(5);
  }
}

/** The most that were held at the same moment. */
export function mostAtOnce(spans: readonly Span[]): number {
  const changes = spans.flatMap(({ fromMs, toMs }) => [
    { atMs: fromMs, by: 1 },
    { atMs: toMs, by: -1 },
  ]);
  let now = 0;
  let most = 0;
  for (const { by } of changes.toSorted((one, other) => one.atMs - other.atMs || one.by - other.by)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}
