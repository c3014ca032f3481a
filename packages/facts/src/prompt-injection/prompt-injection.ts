import { SIGNS } from "./signs.ts";

interface InjectionVerdict {
  readonly isInjection: boolean;
  /** True if there are signs, but too few: a reader who understands the text could decide. */
  readonly isDoubtful: boolean;
  /** Names of the signs found. */
  readonly signs: readonly string[];
}

/** In characters. Longer texts are not judged (contract, section 3.14). */
const MAX_LENGTH = 2_000_000;

/** Undefined if the text is too long. */
export function judgePage(text: string): InjectionVerdict | undefined {
  return text.length > MAX_LENGTH ? undefined : judgePromptInjection(text);
}

/** Signs with this total weight make an attack. */
const ATTACK_WEIGHT = 1;

/** Quoted text. Pages about such attacks quote them; real instructions are not quoted. */
const QUOTES: readonly RegExp[] = [
  /```[^]*?(?:```|$)/g,
  /`[^`\n]{1,400}`/g,
  /"[^"\n]{1,400}"/g,
  /[“„][^“”\n]{1,400}[”“]/g,
  /«[^»\n]{1,400}»/g,
  /(?<![\p{L}\p{N}])'[^'\n]{8,400}'(?![\p{L}\p{N}])/gu,
  /‘[^’\n]{8,400}’/g,
  /[「『][^」』\n]{1,400}[」』]/g,
  /(?:^|\n)[ \t]*>[^\n]*/g,
];

/** Judges the text by rules, in linear time. */
export function judgePromptInjection(text: string): InjectionVerdict {
  const seen = withoutUnseen(text);
  const open = signsIn(withoutQuotes(seen));
  // Hidden text cannot be a quotation for people, and a single strong sign is enough.
  const hidden = [...hiddenTexts(seen), ...(seen === text ? [] : [partedText(text)]), rotated(seen)].flatMap(
    signsIn,
  );
  const weight = open.reduce((sum, sign) => sum + sign.weight, 0);
  const isHidden = hidden.some((sign) => sign.weight >= ATTACK_WEIGHT / 2);
  const isInjection = weight >= ATTACK_WEIGHT || isHidden;
  return {
    isInjection,
    isDoubtful: !isInjection && weight > 0,
    signs: [...open.map(({ name }) => name), ...hidden.map(({ name }) => `hidden ${name}`)],
  };
}

/** Each sign counts once, however often it occurs. */
function signsIn(text: string) {
  const folded = text.toLowerCase();
  return SIGNS.filter(({ pattern }) => pattern.test(folded));
}

function withoutQuotes(text: string): string {
  return QUOTES.reduce((rest, quote) => rest.replace(quote, " … "), text);
}

/** Only the words that invisible characters split; nobody writes those for people. */
function partedText(text: string): string {
  const parted =
    /(?<!\p{L})(?:\p{L}{1,40}[\u200B\u2060\uFEFF\u00AD]{1,40}){1,40}\p{L}{1,40}(?:[ \u200B\u2060\uFEFF\u00AD]{1,40}[\p{L}\u200B\u2060\uFEFF\u00AD]{1,80}){0,20}/gu;
  return withoutUnseen((text.match(parted) ?? []).join(" "));
}

/** Invisible characters: zero-width characters, directional marks and variation selectors. */
const UNSEEN =
  /[\p{Variation_Selector}\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u206A-\u206F\uFEFF]/gu;
const TAGS = /[\u{E0020}-\u{E007E}]{4,}/gu;

/** The text without invisible characters, which can split words so that a search misses them. */
function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, "");
}

const BASE64 = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{24,4000}={0,2}(?![A-Za-z0-9+/=])/g;
const HEX = /(?<![0-9a-fA-F])(?:[0-9a-fA-F]{2}){16,2000}(?![0-9a-fA-F])/g;
const PERCENT = /(?:%[0-9a-fA-F]{2}|[\w.~-]){8,4000}/g;

/** Maximum encoded pieces read per text. */
const MAX_PIECES = 500;

/** Encoded texts that people do not read: tag characters, base64, hexadecimal and the like. */
function hiddenTexts(text: string): readonly string[] {
  const runs = longRuns(text);
  const pieces = [
    ...[...text.matchAll(TAGS)].map(([value]) => fromTags(value)),
    ...piecesOf(runs, BASE64).map((value) => Buffer.from(value, "base64").toString("utf8")),
    ...piecesOf(runs, HEX).map((value) => Buffer.from(value, "hex").toString("utf8")),
    ...piecesOf(escapedRuns(text), PERCENT)
      .filter((value) => value.split("%").length > 3)
      .map(unescaped),
  ];
  return pieces.filter(isReadable);
}

/** Minimum length of base64 or hexadecimal text. */
const RUN_LENGTH = 24;
const IN_RUN = codesOf(/[A-Za-z0-9+/=]/);
const IN_ESCAPED = codesOf(/[%\w.~-]/);

function codesOf(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
}

/**
 * Long runs of base64 or hexadecimal characters, separated by spaces. For speed, ordinary text is sampled at
 * every 24th character.
 */
function longRuns(text: string): string {
  const runs: string[] = [];
  for (let at = RUN_LENGTH - 1; at < text.length; at += RUN_LENGTH) {
    if (IN_RUN[text.charCodeAt(at)] !== 1) continue;
    const run = runAround(text, at, IN_RUN);
    if (run.text.length >= RUN_LENGTH) runs.push(run.text);
    at = run.lastIndex;
  }
  return runs.join(" ");
}

/** Runs with percent-encoded bytes, separated by spaces. */
function escapedRuns(text: string): string {
  const runs: string[] = [];
  for (let at = text.indexOf("%"); at >= 0; at = text.indexOf("%", at + 1)) {
    const run = runAround(text, at, IN_ESCAPED);
    runs.push(run.text);
    at = run.lastIndex;
  }
  return runs.join(" ");
}

function runAround(text: string, at: number, codes: Uint8Array): { text: string; lastIndex: number } {
  let [first, last] = [at, at];
  while (codes[text.charCodeAt(first - 1)] === 1) first -= 1;
  while (codes[text.charCodeAt(last + 1)] === 1) last += 1;
  return { text: text.slice(first, last + 1), lastIndex: last };
}

function piecesOf(text: string, pattern: RegExp): readonly string[] {
  return (text.match(pattern) ?? []).slice(0, MAX_PIECES);
}

/** Unicode tag characters mirror ASCII, offset by 0xE0000. */
function fromTags(value: string): string {
  return String.fromCodePoint(...Array.from(value, (sign) => (sign.codePointAt(0) ?? 0) - 0xe0000));
}

function unescaped(value: string): string {
  return value.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

function isReadable(text: string): boolean {
  return text.length > 8 && !/[\uFFFD\u0000-\u0008\u000E-\u001F]/u.test(text) && / /.test(text);
}

/** ROT13 table for ASCII codes. */
const ROTATED = Uint8Array.from({ length: 128 }, (_, code) => {
  const first = code & 0x20 ? 97 : 65;
  const isLetter = code >= first && code < first + 26;
  return isLetter ? ((code - first + 13) % 26) + first : code;
});

/** ROT13 of the text's ASCII characters; other characters become spaces. */
export function rotated(text: string): string {
  const bytes = Buffer.from(text.replace(/[^\n -~]+/g, " "), "latin1");
  for (let index = 0; index < bytes.length; index += 1) {
    const code = bytes[index] ?? 0;
    bytes[index] = ROTATED[code] ?? code;
  }
  return bytes.toString("latin1");
}
