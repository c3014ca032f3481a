import { countCharacters } from "./text/characters.ts";
import type { Paragraph } from "./paragraphs.ts";
import type { UsualLook } from "./text-line.ts";

const MAX_LINES = 4;
const MAX_CHARACTERS = 200;
const NUMBERED =
  /^(?:\d+(?:\.\d+)*\.?|[IVX]+\.|chapter|section|part|appendix|kapitel|abschnitt|第.{1,3}[章节節])\s/i;
/** Needs at least two levels, as a single number may count list items. */
const MANY_LEVELS = /^\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+\p{Lu}/u;

/** Above 0 means a heading. The evidence is size, weight, length, ending and numbering. */
export function headingEvidence({ lines, text }: Paragraph, isLast: boolean, usual: UsualLook): number {
  const line = lines[0];
  if (!line || lines.length > MAX_LINES || text.length > MAX_CHARACTERS) return -1;
  const { letters } = countCharacters(text);
  if (letters < 2) return -1;
  const ratio = line.size / usual.size;
  return (
    -1.6 +
    evidenceOfSize(ratio) +
    (lines.every(({ isBold }) => isBold) && !usual.isBold ? 1.9 : 0) +
    (text === text.toUpperCase() && letters > 3 ? 0.8 : 0) +
    (NUMBERED.test(text) ? 0.7 : 0) +
    (lines.every(({ runs }) => runs.every(({ isItalic }) => isItalic)) && MANY_LEVELS.test(text) ? 1 : 0) +
    evidenceOfEnding(text, line.isBold) +
    evidenceOfLength(text, lines.length) -
    (/^\p{Ll}/u.test(text) && !(ratio > 1.12 && line.isBold) ? 1.2 : 0) -
    (/\d/.test(text) && letters < 0.4 * text.length ? 1.2 : 0) -
    (line.isMonospaced ? 2 : 0) +
    (isLast ? -0.5 : 0.2)
  );
}

function evidenceOfSize(ratio: number): number {
  if (ratio > 1.12) return 1.5 + Math.min(1.5, (ratio - 1.12) * 4);
  if (ratio > 1.04) return 0.6;
  return ratio < 0.93 ? -1.2 : 0;
}

function evidenceOfEnding(text: string, isBold: boolean): number {
  if (/[.;,]$/.test(text)) return /\b(?:etc|inc|vs)\.$/i.test(text) ? 0 : -1.6;
  if (/[!?]$/.test(text)) return -0.5;
  if (text.endsWith(":")) return isBold ? -0.2 : -0.7;
  return 0;
}

function evidenceOfLength(text: string, lines: number): number {
  return (lines > 2 ? -0.5 : 0) + (text.length > 90 ? -0.8 : 0) + (text.split(" ").length > 14 ? -0.6 : 0);
}
