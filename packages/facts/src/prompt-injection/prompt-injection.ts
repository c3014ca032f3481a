import { hiddenTexts, rotated, withoutUnseen } from "./hidden-text.ts";
import { SIGNS } from "./signs.ts";

/** What speaks for a text being made to steer the language model that reads it. */
export interface InjectionVerdict {
  readonly isInjection: boolean;
  /** Whether something speaks for it, but not enough: a reader who understands the text could decide. */
  readonly isDoubtful: boolean;
  /** Names of the signs that were found. */
  readonly signs: readonly string[];
}

/** Longer texts are not judged (contract, section 3.14). */
const MAX_LENGTH = 2_000_000;

/** Judges the text of a page. Undefined when it is too long for that. */
export function judgePage(text: string): InjectionVerdict | undefined {
  return text.length > MAX_LENGTH ? undefined : judgePromptInjection(text);
}

/** Signs that count as much as this make an attack. */
const ATTACK_WEIGHT = 1;

/** Pages about such attacks quote them; orders are not quoted. */
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

/** Judges the text of a page by rules. Time grows with its length. */
export function judgePromptInjection(text: string): InjectionVerdict {
  const seen = withoutUnseen(text);
  const open = signsIn(withoutQuotes(seen));
  // What is hidden from people is not quoted for them either, and one sign in it is enough.
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

/** Each sign counts once, however often it is there. */
function signsIn(text: string) {
  const folded = text.toLowerCase();
  return SIGNS.filter(({ pattern }) => pattern.test(folded));
}

function withoutQuotes(text: string): string {
  return QUOTES.reduce((rest, quote) => rest.replace(quote, " … "), text);
}

/** Only the words that unseen characters part: no such words are written for people. */
function partedText(text: string): string {
  const parted =
    /(?<!\p{L})(?:\p{L}{1,40}[\u200B\u2060\uFEFF\u00AD]{1,40}){1,40}\p{L}{1,40}(?:[ \u200B\u2060\uFEFF\u00AD]{1,40}[\p{L}\u200B\u2060\uFEFF\u00AD]{1,80}){0,20}/gu;
  return withoutUnseen((text.match(parted) ?? []).join(" "));
}
