/** An expression of a caller: text for the page or for a thread. The main thread never tries it. */
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
