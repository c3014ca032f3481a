const BULLET = /^(?:[•◦▪‣●○■□☐☑☒⊠⊡❖➢✓–—\-*·∙⁃⦁►▶◆◇]|[\uf0a7\uf0b7\uf0d8\uf0fc])(?=\s|$)\s*/u;
const BOX = /^[□☐☑☒⊠⊡]/;
const RING = /^o\s+/;
const NUMBER = /^\(?\d{1,3}[.)]\s+/;
const LABEL = /^(\(?)([a-z]|[ivx]{1,5})([.)])\s+/i;
const ROMAN = /^x{0,3}(?:ix|iv|v?i{0,3})$/i;
const ROMAN_VALUES: ReadonlyMap<string, number> = new Map([
  ["i", 1],
  ["v", 5],
  ["x", 10],
  ["l", 50],
  ["c", 100],
]);

/** The start of a list item. */
export interface Marker {
  readonly isOrdered: boolean;
  /** Includes the white space after the marker. */
  readonly text: string;
  readonly isBox?: boolean;
  /** Set for letters and Roman numerals, which may also be initials. Only a series makes them markers. */
  readonly label?: Label;
}

/** A letter or Roman numeral before a text, such as "(b)" or "IV.". */
interface Label {
  /** Labels of a series share case and surrounding signs. */
  readonly style: string;
  /** Undefined if it cannot be read that way. "i" is both the ninth letter and the numeral 1. */
  readonly letter: number | undefined;
  readonly roman: number | undefined;
}

interface MarkedLine {
  readonly text: string;
  readonly runs: readonly { readonly text: string; readonly isMonospaced: boolean }[];
}

export function markerOf(line: MarkedLine | undefined): Marker | undefined {
  const text = line?.text ?? "";
  const bullet = BULLET.exec(text) ?? (line && isRing(line) ? RING.exec(text) : null);
  if (bullet) return { isOrdered: false, text: bullet[0], isBox: BOX.test(bullet[0]) };
  const number = NUMBER.exec(text);
  if (number) return { isOrdered: true, text: number[0] };
  const label = LABEL.exec(text);
  if (!label) return undefined;
  const [whole, before = "", sign = "", after = ""] = label;
  return { isOrdered: true, text: whole, label: labelOf(before, sign, after) };
}

/**
 * Word processors set a hollow bullet as the letter "o" in a monospaced font. Elsewhere "o" is a word in many
 * languages.
 */
function isRing({ runs: [first, second] }: MarkedLine): boolean {
  return first?.text === "o" && first.isMonospaced && second?.isMonospaced === false;
}

function labelOf(before: string, sign: string, after: string): Label {
  const lower = sign.toLowerCase();
  return {
    style: `${before}${sign === lower ? "a" : "A"}${after}`,
    letter: sign.length === 1 ? lower.charCodeAt(0) - 96 : undefined,
    roman: ROMAN.test(sign) ? romanValue(sign) : undefined,
  };
}

/** Value of a Roman numeral up to the hundreds, in either case. */
export function romanValue(sign: string): number {
  const values = sign
    .toLowerCase()
    .split("")
    .map((digit) => ROMAN_VALUES.get(digit) ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}

/** True if one label follows the other, as "c)" follows "b)" and "IV." follows "III.". */
export function countsOn(before: Label, after: Label): boolean {
  const follows = (a: number | undefined, b: number | undefined) => a !== undefined && b === a + 1;
  if (before.style !== after.style) return false;
  return follows(before.letter, after.letter) || follows(before.roman, after.roman);
}
