import { endOfBlank, endOfExpression, endOfQuoted, unquoted } from "./literal-scan.ts";

/** Values in one literal; more are hostile. */
const MAX_VALUES = 200_000;
/** As of JSON from outside. Whoever works on a value may walk into it. */
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

/** What was read: undefined for what is not a literal. `end` tells how far reading went, in either case. */
interface ReadLiteral {
  readonly value: unknown;
  readonly end: number;
}

/**
 * Reads the JavaScript literal of an object or list that begins at `from`: JSON, and next to it names without quotes,
 * other quotes, comments and trailing commas. What has to be computed is left out. What is nested deeper than 128 levels is
 * none.
 */
export function readLiteral(source: string, from: number): ReadLiteral {
  return new LiteralReader(source, from).read();
}

class LiteralReader {
  readonly #source: string;
  #at: number;
  readonly #open: Container[] = [];
  /** By depth: the name that the next value of an object goes under. */
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

  /** Ends the innermost object or list. @returns the literal, when that was the outermost one. */
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

  /** Leaves out an expression. Moves on in any case. */
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

/** Names such as `__proto__` become names like any other. */
function objectOf(entries: ReadonlyMap<string, unknown>): object {
  return Object.fromEntries(entries);
}

function numberOf(word: string): number | undefined {
  const value = word === "" ? Number.NaN : Number(word);
  return Number.isFinite(value) ? value : undefined;
}
