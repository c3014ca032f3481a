/** Unicode's full-width digits, capital and small letters. */
const WIDE = [
  [0xff10, 0xff19],
  [0xff21, 0xff3a],
  [0xff41, 0xff5a],
] as const;
const FIRST_WIDE = WIDE[0][0];

/** How far they are from those of ASCII. */
const OFFSET = 0xfee0;

/** Latin letters and digits as wide as Chinese characters are letters and digits; words of them can be searched for. */
export function narrowed(code: number): number {
  if (code < FIRST_WIDE) return code;
  return WIDE.some(([first, last]) => code >= first && code <= last) ? code - OFFSET : code;
}
