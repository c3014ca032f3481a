/** Counts of what is right, by kind, and means. */
export class Score {
  readonly #counts = new Map<string, { right: number; of: number }>();
  readonly #isVerbose: boolean;

  constructor(isVerbose: boolean) {
    this.#isVerbose = isVerbose;
  }

  note(kind: string, isRight: boolean, what: string): void {
    this.add(kind, isRight ? 1 : 0);
    if (!isRight && this.#isVerbose) process.stdout.write(`  ${kind}: ${what.slice(0, 200)}\n`);
  }

  add(kind: string, share: number): void {
    const count = this.#counts.get(kind) ?? { right: 0, of: 0 };
    this.#counts.set(kind, { right: count.right + share, of: count.of + 1 });
  }

  kinds(): readonly string[] {
    return [...this.#counts.keys()];
  }

  /** What is right of some kinds, or of all. */
  of(...kinds: readonly string[]): { readonly right: number; readonly of: number; readonly share: number } {
    let [right, of] = [0, 0];
    for (const [kind, count] of this.#counts) {
      if (kinds.length > 0 && !kinds.includes(kind)) continue;
      right += count.right;
      of += count.of;
    }
    return { right, of, share: of === 0 ? 1 : right / of };
  }
}
