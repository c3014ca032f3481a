import { StringBuilder } from "@pergamon-dev/kit/string-builder";

/** Deeper quotes and lists are written at this depth, so that line prefixes do not multiply hostile input. */
const MAX_PREFIX = 48;

type Join = "line" | "paragraph";

/** What stood before a container began. */
interface Outer {
  readonly prefix: string;
  readonly firstPrefix: string | undefined;
  readonly written: number;
}

/**
 * Writes blocks of Markdown one below another, with the prefixes of the quotes and list items around them.
 */
export class BlockWriter {
  readonly #markdown = new StringBuilder();
  #prefix = "";
  /** Prefix of the next line only: holds the marker of a list item that has no content yet. */
  #firstPrefix: string | undefined;
  /** Shortest prefix since the last block. A blank line may carry it without joining two containers. */
  #blankPrefix = "";
  /** Prefix of a rule that waits for the block after it. */
  #rule: string | undefined;
  /** Number of blocks written so far. */
  written = 0;
  /** How the next block is joined. Resets to "paragraph" after each block. */
  nextJoin: Join = "paragraph";

  /**
   * Queues a rule. It is written only when a block follows in the same containers; at their end it would
   * separate nothing.
   */
  rule(): void {
    this.#rule = this.written > 0 ? this.#prefix : undefined;
  }

  /**
   * Writes one block. Its lines get the prefix, and blank lines have no trailing spaces. "" writes nothing.
   */
  block(text: string): void {
    this.line(this.#indent(text));
  }

  /** Writes a block of one line. "" writes nothing. */
  line(text: string): void {
    if (text === "") return;
    const prefix = this.#firstPrefix ?? this.#prefix;
    this.#writeRule(prefix);
    if (this.written > 0) this.#markdown.add(this.#separator());
    if (prefix !== "") this.#markdown.add(prefix);
    this.#markdown.add(text);
    this.written++;
    this.nextJoin = "paragraph";
    this.#firstPrefix = undefined;
    this.#blankPrefix = this.#prefix;
  }

  /**
   * Runs `content` with `marker` before its first line and `rest` before every other line.
   * Leaves no trace when `content` writes nothing.
   */
  container(marker: string, rest: string, content: () => void): void {
    const outer = this.begin(marker, rest);
    content();
    this.end(outer);
  }

  /** Begins a container as `container` does. `end` is given what it returns. */
  begin(marker: string, rest: string): Outer | undefined {
    const outer = { prefix: this.#prefix, firstPrefix: this.#firstPrefix, written: this.written };
    if (outer.prefix.length + rest.length > MAX_PREFIX) {
      this.nextJoin = "paragraph";
      return undefined;
    }
    this.#firstPrefix = (outer.firstPrefix ?? outer.prefix) + marker;
    this.#prefix = outer.prefix + rest;
    return outer;
  }

  end(outer: Outer | undefined): void {
    if (!outer) return;
    this.#prefix = outer.prefix;
    if ((this.#rule ?? "").length > outer.prefix.length) this.#rule = undefined;
    this.#firstPrefix = this.written === outer.written ? outer.firstPrefix : undefined;
    if (outer.prefix.length < this.#blankPrefix.length) this.#blankPrefix = outer.prefix;
  }

  /** Whether a list marker is announced and nothing is written after it yet. */
  get isAtMarker(): boolean {
    return this.#firstPrefix !== undefined;
  }

  #writeRule(prefix: string): void {
    const rule = this.#rule;
    this.#rule = undefined;
    if (rule === undefined || !prefix.startsWith(rule)) return;
    this.nextJoin = "paragraph";
    this.#markdown.add(`${this.#separator()}${rule}---`);
    this.#blankPrefix = rule;
    this.nextJoin = "paragraph";
  }

  toString(): string {
    return this.#markdown.toString();
  }

  #separator(): string {
    if (this.nextJoin === "line") return "\n";
    return this.#blankPrefix === "" ? "\n\n" : `\n${this.#blankPrefix.trimEnd()}\n`;
  }

  #indent(text: string): string {
    if (this.#prefix === "" || !text.includes("\n")) return text;
    const blank = this.#prefix.trimEnd();
    const lines = text.split("\n");
    return lines.map((line, at) => this.#indentLine(line, at, blank)).join("\n");
  }

  #indentLine(line: string, at: number, blank: string): string {
    if (at === 0) return line;
    return line === "" ? blank : this.#prefix + line;
  }
}
