import { endOfBlank, endOfExpression, endOfQuoted, unquoted } from "./literal-scan.ts";

/** Literals with more values are hostile. */
const MAX_VALUES = 200_000;
/** As for JSON from outside, since consumers may recurse into the value. */
const MAX_DEPTH = 128;

const WORD = /-?\.?\d[\w.+-]*|[\w$]+/uy;
const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["!0", true],
  ["false", false],
  ["!1", false],
  ["null", null],
]);

type Container = unknown[] | Map<string, unknown>;

/** `value` is undefined if there is no literal. `end` is how far the reader went, in either case. */
interface ReadLiteral {
  readonly value: unknown;
  readonly end: number;
}

/**
 * Reads the JavaScript object or array literal at `from`: JSON with unquoted names, other quotes, comments
 * and trailing commas. Computed values are left out. Literals nested deeper than 128 levels are rejected.
 */
export function readLiteral(source: string, from: number): ReadLiteral {
  return new LiteralReader(source, from).read();
}

class LiteralReader {
  readonly #source: string;
  #at: number;
  readonly #open: Container[] = [];
  /** By depth: the name of the object's next value. */
  readonly #names: (string | undefined)[] = [];

  constructor(source: string, from: number) {
    this.#source = source;
    this.#at = from;
  }

  read(): ReadLiteral {
    for (let left = MAX_VALUES; left > 0 && this.#open.length <= MAX_DEPTH; left--) {
      this.#at = endOfBlank(this.#source, this.#at);
      const character = this.#source.charAt(this.#at);
      if (character === "") break;
      if (character === ",") this.#at++;
      else if (character === "}" || character === "]") {
        const closed = this.#close();
        if (closed !== undefined) return { value: closed, end: this.#at };
      } else if (this.#isNameNext()) this.#readName(character);
      else this.#readValue(character);
    }
    return { value: undefined, end: this.#at };
  }

  #isNameNext(): boolean {
    return this.#open.at(-1) instanceof Map && this.#names.at(-1) === undefined;
  }

  /** Closes the innermost object or list. @returns the literal if that was the outermost one. */
  #close(): unknown {
    this.#at++;
    this.#names.pop();
    const closed = this.#open.pop();
    const value = closed instanceof Map ? objectOf(closed) : closed;
    if (this.#open.length === 0) return value;
    this.#put(value);
    return undefined;
  }

  #readName(character: string): void {
    const name = character === '"' || character === "'" ? this.#readQuoted() : this.#readWord();
    this.#at = endOfBlank(this.#source, this.#at);
    if (name !== undefined && this.#source.charAt(this.#at) === ":") {
      this.#names[this.#names.length - 1] = name;
      this.#at++;
    } else this.#skip();
  }

  #readValue(character: string): void {
    if (character === "{" || character === "[") {
      this.#at++;
      this.#open.push(character === "{" ? new Map() : []);
      this.#names.push(undefined);
      return;
    }
    const value = "\"'`".includes(character) ? this.#readQuoted() : this.#readConstant();
    this.#at = endOfBlank(this.#source, this.#at);
    const isWhole = ",}]".includes(this.#source.charAt(this.#at));
    if (!isWhole) this.#skip();
    this.#put(isWhole ? value : undefined);
  }

  /** Skips an expression. Always advances. */
  #skip(): void {
    this.#at = Math.max(endOfExpression(this.#source, this.#at), this.#at);
    if (this.#source.charAt(this.#at) === ")") this.#at++;
  }

  #readQuoted(): string | undefined {
    const end = endOfQuoted(this.#source, this.#at);
    const from = this.#at;
    this.#at = end < 0 ? this.#source.length : end;
    return end < 0 ? undefined : unquoted(this.#source.slice(from, end));
  }

  #readConstant(): unknown {
    const isNegated = this.#source.charAt(this.#at) === "!";
    if (isNegated) this.#at++;
    const word = `${isNegated ? "!" : ""}${this.#readWord() ?? ""}`;
    return CONSTANTS.has(word) ? CONSTANTS.get(word) : numberOf(word);
  }

  #readWord(): string | undefined {
    WORD.lastIndex = this.#at;
    const word = WORD.exec(this.#source)?.[0];
    this.#at += word?.length ?? 0;
    return word;
  }

  #put(value: unknown): void {
    const owner = this.#open.at(-1);
    const name = this.#names.at(-1);
    if (owner instanceof Map && name !== undefined) owner.set(name, value);
    else if (Array.isArray(owner)) owner.push(value);
    this.#names[this.#names.length - 1] = undefined;
  }
}

/** Makes names such as `__proto__` ordinary properties. */
function objectOf(entries: ReadonlyMap<string, unknown>): object {
  return Object.fromEntries(entries);
}

function numberOf(word: string): number | undefined {
  const value = word === "" ? Number.NaN : Number(word);
  return Number.isFinite(value) ? value : undefined;
}
