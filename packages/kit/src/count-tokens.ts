/** About how many tokens a text has: a quarter of its characters, or as many as it has of scripts without spaces. */
export function countTokens(text: string): number {
  const unspaced = text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu,
  );
  return Math.max(Math.ceil(text.length / 4), unspaced?.length ?? 0);
}
