import { entropyBits } from "./check-digits.ts";
import { matchesOf } from "./matches.ts";
import { SECRET_SHAPES } from "./secret-shapes.ts";
import type { Span } from "./span.ts";

const KNOWN = new RegExp(`(?<![A-Za-z0-9])(?:${SECRET_SHAPES.join("|")})(?![A-Za-z0-9])`, "g");

const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
const PRIVATE_KEY_END = /-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/;

const CUT_OFF_KEY =
  /^-----[A-Z ]+-----(?:\s+(?:[\w-]+: [^\n]{0,200}|[A-Za-z0-9+/=]{20,}))*(?:\s*\n[A-Za-z0-9+/=]{4,}(?=\s*\n|$))?/;
/** In characters. An RSA key of 16,384 bits has 13,000. */
const MAX_KEY_LENGTH = 20_000;

const WEB_TOKEN = /(?<![A-Za-z0-9_-])eyJ[\w-]{8,4000}\.[\w-]{8,8000}\.[\w-]{8,2000}(?:\.[\w-]{0,4000}){0,2}/g;

/** The value behind a name that says it is a secret, as `password: …`, `API_KEY="…"`. */
const NAMED =
  /(?:secret|token|passw(?:or)?d|passwd|passwort|passphrase|pwd|api[_-]?key|access[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key|credential|auth[_-]?key)[\w-]{0,30}["'`]{0,2} {0,3}(?::=|=>|[:=]) {0,3}["'`]?(?<value>[^\s"'`,;<>(){}|]{8,300})/gi;

const HEADER = /\b(?:Bearer|Basic|Digest|Token) +(?<value>[A-Za-z0-9._~+/=-]{16,4000})/g;

/** The password in the address of a service. */
const IN_ADDRESS = /:\/\/[^\s:/@]{0,100}:(?<value>[^\s:/@]{3,100})@[\w.-]/g;

/** Bits per character from which on a value is not a word: the most common English words have fewer. */
const LEAST_ENTROPY_BITS = 2.8;

/** Values that stand for a secret in examples. */
const STAND_IN =
  /^(?:true|false|null|none|undefined|your|my[_-]|xxx|\*|\$|%|\.\.\.|example|changeme|process\.|os\.|env\.)/i;

export function secrets(text: string): readonly Span[] {
  return [
    ...privateKeys(text),
    ...knownShapes(text),
    ...matchesOf(text, { pattern: WEB_TOKEN, entity: "SECRET" }),
    ...matchesOf(text, { pattern: HEADER, entity: "SECRET", accepts: isRandom }),
    ...matchesOf(text, { pattern: NAMED, entity: "SECRET", accepts: isRandom }),
    ...matchesOf(text, { pattern: IN_ADDRESS, entity: "SECRET", accepts: (value) => !STAND_IN.test(value) }),
  ];
}

/** What keys of known shapes are within: no word of a language is as long as the shortest of them often. */
const LONG_WORD = /(?<![\w.~+/=$:,-])[\w.~+/=$:,-]{16}/g;
/** NOTE: a greedy repetition would overflow the stack of the engine on a word of some megabytes. */
const WORD_END = /[^\w.~+/=$:,-]/g;
/** One shape has a word and a space before its long word. */
const BEFORE_LONG_WORD = 8;

function knownShapes(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const { index } of text.matchAll(LONG_WORD)) {
    const from = Math.max(0, index - BEFORE_LONG_WORD);
    WORD_END.lastIndex = index;
    const found = matchesOf(text.slice(from, WORD_END.exec(text)?.index), {
      pattern: KNOWN,
      entity: "SECRET",
      accepts: (value) => entropyBits(value) > LEAST_ENTROPY_BITS,
    });
    for (const span of found) spans.push({ ...span, start: from + span.start, end: from + span.end });
  }
  return spans;
}

/** A key that is cut off goes as far as it looks like one: what is left of it must not be shown. */
function privateKeys(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const { index } of text.matchAll(PRIVATE_KEY)) {
    if (index < (spans.at(-1)?.end ?? 0)) continue;
    const rest = text.slice(index, index + MAX_KEY_LENGTH);
    const ending = PRIVATE_KEY_END.exec(rest);
    const length = ending ? ending.index + ending[0].length : (CUT_OFF_KEY.exec(rest)?.[0].length ?? 0);
    spans.push({ start: index, end: index + length, entity: "SECRET" });
  }
  return spans;
}

function isRandom(value: string): boolean {
  return /\d/.test(value) && !STAND_IN.test(value) && entropyBits(value) > LEAST_ENTROPY_BITS;
}
