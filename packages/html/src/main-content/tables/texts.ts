import { type HtmlTree, TEXT } from "../../parser/tree.ts";
import type { Blocks } from "./blocks.ts";
import type { HashSet } from "./hash-filter.ts";
import type { Lexicon } from "./lexicon.ts";
import {
  CAPITAL,
  codeClass,
  COMMA,
  DIGIT,
  foldCode,
  IDEOGRAPH,
  LETTER,
  MARK,
  SPACE,
  STOP,
} from "./code-class.ts";
import { hashOfText, joined, NO_TEXT, type TokenVisitor, withCode } from "./tokens.ts";

/** Words looked up per block. More words say nothing new. */
const MAX_WORDS = 48;
/** Blocks with at most this many words are also looked up as a whole. */
const MAX_WHOLE_WORDS = 4;
/** Words of a block that are compared with the title and the description. */
const MAX_COMPARED = 32;
/** Start of the hash of a whole text's token. */
const WHOLE = hashOfText("=");
const MAX_WORD_LENGTH = 24;

export class Texts {
  /** Visible characters, all and inside links. */
  readonly chars: Int32Array;
  readonly linkChars: Int32Array;
  readonly words: Int32Array;
  readonly commas: Int32Array;
  readonly stops: Int32Array;
  readonly digits: Int32Array;
  readonly capitals: Int32Array;
  readonly marks: Int32Array;
  /** UTF-16 unit of the first and the last visible character. */
  readonly firstCode: Int32Array;
  readonly lastCode: Int32Array;
  /** Log-odds of the words: sum, least, greatest, and number of known words. */
  readonly odds: Float32Array;
  readonly leastOdds: Float32Array;
  readonly greatestOdds: Float32Array;
  readonly known: Int32Array;
  /** Log-odds of the first word, and of a short text as a whole. */
  readonly firstOdds: Float32Array;
  readonly wholeOdds: Float32Array;
  /**
   * Number of words that occur in the title, and of word pairs that occur in the description and the
   * structured data.
   */
  readonly titleHits: Int32Array;
  readonly descriptionHits: Int32Array;
  readonly dataHits: Int32Array;
  /** Hash of the words that were looked up. */
  readonly hash: Int32Array;

  constructor(size: number) {
    this.chars = new Int32Array(size);
    this.linkChars = new Int32Array(size);
    this.words = new Int32Array(size);
    this.commas = new Int32Array(size);
    this.stops = new Int32Array(size);
    this.digits = new Int32Array(size);
    this.capitals = new Int32Array(size);
    this.marks = new Int32Array(size);
    this.firstCode = new Int32Array(size);
    this.lastCode = new Int32Array(size);
    this.odds = new Float32Array(size);
    this.leastOdds = new Float32Array(size);
    this.greatestOdds = new Float32Array(size);
    this.known = new Int32Array(size);
    this.firstOdds = new Float32Array(size);
    this.wholeOdds = new Float32Array(size);
    this.titleHits = new Int32Array(size);
    this.descriptionHits = new Int32Array(size);
    this.dataHits = new Int32Array(size);
    this.hash = new Int32Array(size);
  }
}

/** Hashes of the words and word pairs with which a page describes itself. */
export interface Phrases {
  readonly title: HashSet;
  readonly description: HashSet;
  readonly data: HashSet;
}

interface TextReaderOptions {
  readonly words: Lexicon;
  readonly phrases: Phrases;
  /** Maximum words per block that are looked up. Default: 48. */
  readonly maxWords?: number;
  /** Called for every token that is looked up: words, pairs `one_two`, whole texts `=one_two`. */
  readonly visit?: TokenVisitor;
}

/** Reads the texts of all blocks. Subtrees marked `out`, such as scripts, are not text. */
export function readTexts(
  tree: HtmlTree,
  blocks: Blocks,
  options: TextReaderOptions & { readonly out: Uint8Array },
): Texts {
  const texts = new Texts(blocks.size);
  const reader = new TextReader(texts, options);
  for (let block = 0; block < blocks.size; block++) {
    const last = blocks.last[block] ?? 0;
    reader.begin(block);
    for (let node = blocks.first[block] ?? 0; node <= last; node++) {
      if (tree.tag[node] === TEXT && options.out[node] === 0 && !tree.isBlank(node))
        reader.read(tree, node, (blocks.linkEnd[node] ?? 0) > 0);
    }
    reader.end();
  }
  return texts;
}

/** Reads text piece by piece, counts its characters and looks up its words. */
export class TextReader {
  readonly #texts: Texts;
  readonly #options: TextReaderOptions;
  readonly #maxWords: number;
  readonly #counts = new Int32Array(8);
  #block = 0;
  #words = 0;
  #whole = 0;
  #previous = 0;
  #isLinked = false;

  constructor(texts: Texts, options: TextReaderOptions) {
    this.#texts = texts;
    this.#options = options;
    this.#maxWords = options.maxWords ?? MAX_WORDS;
  }

  begin(block: number): void {
    this.#block = block;
    this.#words = 0;
    this.#whole = WHOLE;
    this.#previous = 0;
  }

  end(): void {
    const block = this.#block;
    this.#texts.words[block] = this.#words;
    this.#texts.wholeOdds[block] = this.#words <= MAX_WHOLE_WORDS ? this.#lookUp(this.#whole, "", 0, -1) : 0;
  }

  read(tree: HtmlTree, node: number, isLinked: boolean): void {
    this.#isLinked = isLinked;
    tree.visitText(node, readCharacters, this);
  }

  /** Reads the characters of `source` in [`begin`, `end`). */
  visit(source: string, begin: number, end: number): void {
    const counts = this.#counts.fill(0);
    let from = -1;
    let hash = NO_TEXT;
    for (let at = begin; at <= end; at++) {
      const code = at < end ? source.charCodeAt(at) : 32;
      const kind = codeClass(code);
      // Nothing reads the count of lower-case letters, by far the most frequent class.
      if (kind !== LETTER) counts[kind] = (counts[kind] ?? 0) + 1;
      if (kind >= LETTER && kind <= DIGIT) {
        if (from < 0) hash = NO_TEXT;
        if (from < 0) from = at;
        hash = withCode(hash, foldCode(code));
        continue;
      }
      if (from >= 0) this.#word(hash, source, from, at);
      from = -1;
      if (kind === IDEOGRAPH) this.#word(withCode(NO_TEXT, code), source, at, at + 1);
    }
    const visible = end - begin + 1 - (counts[SPACE] ?? 0);
    if (visible === 0) return;
    if (this.#texts.chars[this.#block] === 0) this.#texts.firstCode[this.#block] = edgeCode(source, begin, 1);
    this.#texts.lastCode[this.#block] = edgeCode(source, end - 1, -1);
    this.#count(counts, visible);
  }

  #count(counts: Int32Array, visible: number): void {
    const texts = this.#texts;
    const block = this.#block;
    add(texts.chars, block, visible);
    if (this.#isLinked) add(texts.linkChars, block, visible);
    add(texts.commas, block, counts[COMMA] ?? 0);
    add(texts.stops, block, counts[STOP] ?? 0);
    add(texts.digits, block, counts[DIGIT] ?? 0);
    add(texts.capitals, block, counts[CAPITAL] ?? 0);
    add(texts.marks, block, counts[MARK] ?? 0);
  }

  #word(hash: number, text: string, from: number, to: number): void {
    const order = this.#words++;
    if (order >= this.#maxWords) return;
    const texts = this.#texts;
    const block = this.#block;
    const odds = to - from <= MAX_WORD_LENGTH ? this.#lookUp(hash, text, from, to) : 0;
    this.#note(odds);
    if (order === 0) texts.firstOdds[block] = odds;
    else this.#pair(joined(this.#previous, hash));
    if (order < MAX_COMPARED && this.#options.phrases.title.has(hash)) add(texts.titleHits, block, 1);
    if (order < MAX_WHOLE_WORDS) this.#whole = joined(this.#whole, hash);
    texts.hash[block] = joined(texts.hash[block] ?? 0, hash);
    this.#previous = hash;
  }

  #pair(hash: number): void {
    this.#note(this.#lookUp(hash, "", 0, -1));
    if (this.#words > MAX_COMPARED) return;
    const { description, data } = this.#options.phrases;
    if (description.has(hash)) add(this.#texts.descriptionHits, this.#block, 1);
    if (data.has(hash)) add(this.#texts.dataHits, this.#block, 1);
  }

  #lookUp(hash: number, text: string, from: number, to: number): number {
    this.#options.visit?.(hash, text, from, to);
    return this.#options.words.oddsOf(hash);
  }

  #note(odds: number): void {
    if (odds === 0) return;
    const texts = this.#texts;
    const block = this.#block;
    add(texts.odds, block, odds);
    add(texts.known, block, 1);
    if (odds < (texts.leastOdds[block] ?? 0)) texts.leastOdds[block] = odds;
    else if (odds > (texts.greatestOdds[block] ?? 0)) texts.greatestOdds[block] = odds;
  }
}

function readCharacters(source: string, from: number, to: number, reader: TextReader): void {
  reader.visit(source, from, to);
}

function add(counts: Int32Array | Float32Array, block: number, value: number): void {
  counts[block] = (counts[block] ?? 0) + value;
}

/** The first visible character from `from` in steps of `step`. */
function edgeCode(text: string, from: number, step: number): number {
  let at = from;
  while (codeClass(text.charCodeAt(at)) === SPACE) at += step;
  return text.charCodeAt(at);
}
