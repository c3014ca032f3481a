/** A part of some work: milliseconds that it took, and from when on since the work began. */
export interface Stage {
  readonly name: string;
  readonly startMs: number;
  readonly durationMs: number;
}

/** Where the time of one piece of work goes, also while it is under way. Stages may overlap. */
export class Stages {
  #beganMs = performance.now();
  #ended: Stage[] = [];
  readonly #running = new Map<symbol, { readonly name: string; readonly startMs: number }>();

  /** Measures a stage, however it ends. */
  async time<Result>(name: string, work: () => Result | Promise<Result>): Promise<Result> {
    const end = this.begin(name);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Begins a stage, which ends with the first call of what is returned. */
  begin(name: string): () => void {
    const id = Symbol(name);
    const startMs = this.#nowMs();
    this.#running.set(id, { name, startMs });
    return () => {
      if (this.#running.delete(id)) this.#ended.push({ name, startMs, durationMs: this.#nowMs() - startMs });
    };
  }

  /** Adds a stage that has just ended. */
  note(name: string, durationMs: number): void {
    this.#ended.push({ name, startMs: Math.max(0, this.#nowMs() - durationMs), durationMs });
  }

  /** The work begins now: what was before does not count. */
  restart(): void {
    this.#beganMs = performance.now();
    this.#ended = [];
  }

  /** Those that have ended, and those under way until now, by their start. */
  list(): readonly Stage[] {
    const nowMs = this.#nowMs();
    const running = [...this.#running.values()].map((stage) => ({
      ...stage,
      durationMs: nowMs - stage.startMs,
    }));
    return [...this.#ended, ...running].toSorted((a, b) => a.startMs - b.startMs);
  }

  #nowMs(): number {
    return performance.now() - this.#beganMs;
  }
}

/** Milliseconds in which at least one of the stages was under way. */
export function coveredMs(stages: readonly Stage[]): number {
  let [covered, untilMs] = [0, 0];
  for (const { startMs, durationMs } of stages.toSorted((a, b) => a.startMs - b.startMs)) {
    const endMs = startMs + durationMs;
    covered += Math.max(0, endMs - Math.max(startMs, untilMs));
    untilMs = Math.max(untilMs, endMs);
  }
  return covered;
}
