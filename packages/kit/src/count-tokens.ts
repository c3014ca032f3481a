/**
 * Estimates the tokens of a text: a quarter of its characters, or one for each character of scripts without
 * spaces, which begin with Thai.
 */
export function countTokens(text: string): number {
  if (!/[\u0e00-\uffff]/.test(text)) return Math.ceil(text.length / 4);
  const unspaced = text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu,
  );
  return Math.max(Math.ceil(text.length / 4), unspaced?.length ?? 0);
}
