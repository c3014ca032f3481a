/** A caller's regular expression. It runs only in the page or in a thread, never in the main thread. */
export class PatternText {
  readonly source: string;
  readonly flags: string;

  constructor(source: string, flags: string) {
    this.source = source;
    this.flags = flags;
  }

  toString(): string {
    return `/${this.source}/${this.flags}`;
  }
}
