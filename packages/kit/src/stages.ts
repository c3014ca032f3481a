/** A part of some work: its duration, and its start since the beginning of the work, in milliseconds. */
export interface Stage {
  readonly name: string;
  readonly startMs: number;
  readonly durationMs: number;
}

/** Measures the stages of one piece of work, even while it runs. Stages may overlap. */
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

  /** Begins a stage. The first call of the returned function ends it. */
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

  /** Restarts the measurement. Earlier stages do not count. */
  restart(): void {
    this.#beganMs = performance.now();
    this.#ended = [];
  }

  /** Lists ended stages, and running ones up to now, by their start. */
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

/** Milliseconds in which at least one of the stages ran. */
export function coveredMs(stages: readonly Stage[]): number {
  let [covered, untilMs] = [0, 0];
  for (const { startMs, durationMs } of stages.toSorted((a, b) => a.startMs - b.startMs)) {
    const endMs = startMs + durationMs;
    covered += Math.max(0, endMs - Math.max(startMs, untilMs));
    untilMs = Math.max(untilMs, endMs);
  }
  return covered;
}
