/** A run of edited lines; empty between two lines that stay. `end` is the line behind it. */
interface Run {
  readonly start: number;
  readonly end: number;
}

/** The lines of one version with their marks, and a run of marked ones that can be moved where that says the same. */
export class EditedLines {
  readonly lines: readonly number[];
  readonly isEdited: boolean[];
  #start = 0;
  #end = 0;

  constructor(lines: readonly number[], isEdited: readonly boolean[]) {
    this.lines = lines;
    this.isEdited = [...isEdited];
    this.toRun(0);
  }

  get run(): Run {
    return { start: this.#start, end: this.#end };
  }

  get size(): number {
    return this.#end - this.#start;
  }

  /** Goes to the run that begins here. */
  toRun(start: number): void {
    this.#start = start;
    this.#end = start;
    while (this.isEdited[this.#end]) this.#end += 1;
  }

  /** @returns false at the end. */
  toNext(): boolean {
    if (this.#end >= this.lines.length) return false;
    this.toRun(this.#end + 1);
    return true;
  }

  toPrevious(): void {
    this.#end = this.#start - 1;
    this.#start = this.#end;
    while (this.isEdited[this.#start - 1]) this.#start -= 1;
  }

  /** Moves the run one line up, if that says the same, and joins it with a run it meets. */
  slideUp(): boolean {
    if (this.#start === 0 || this.lines[this.#start - 1] !== this.lines[this.#end - 1]) return false;
    this.#start -= 1;
    this.#end -= 1;
    this.isEdited[this.#start] = true;
    this.isEdited[this.#end] = false;
    while (this.isEdited[this.#start - 1]) this.#start -= 1;
    return true;
  }

  slideDown(): boolean {
    if (this.#end >= this.lines.length || this.lines[this.#start] !== this.lines[this.#end]) return false;
    this.isEdited[this.#start] = false;
    this.isEdited[this.#end] = true;
    this.#start += 1;
    this.#end += 1;
    while (this.isEdited[this.#end]) this.#end += 1;
    return true;
  }
}
