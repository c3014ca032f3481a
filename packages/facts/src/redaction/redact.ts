import { cutsInAddresses } from "./in-addresses.ts";
import { sourcePieces } from "./source-pieces.ts";
import { findPersonalData } from "./find.ts";
import { knownTexts } from "./known-texts.ts";
import { readMarkdown } from "./readable.ts";
import { type SourcePiece, placeholderOf, replaceCuts } from "./replace.ts";
import { type Redaction, withoutOverlaps } from "./span.ts";

/** Shorter ones are written in too many places that mean something else. */
const SHORTEST_KNOWN = 4;

/**
 * Markdown without personal data. Links, code and tables stay what they are.
 *
 * @throws on any error: a text that could not be searched must not be answered.
 */
export function redactMarkdown(markdown: string, redaction: Redaction): string {
  return replaceCuts(markdown, findCuts(markdown, redaction), redaction.replaceStyle);
}

/**
 * Redacts pieces of a Markdown, such as its pages: each as it stands, and of what was found in the whole, every place
 * where that is written in the piece. A piece says less about itself than the whole does.
 */
export function redactPieces(markdown: string, redaction: Redaction): (piece: string) => string {
  const { replaceStyle } = redaction;
  const known = new Map<string, SourcePiece>();
  for (const cut of findCuts(markdown, redaction)) {
    if (cut.end - cut.start >= SHORTEST_KNOWN) known.set(markdown.slice(cut.start, cut.end), cut);
  }
  return (piece) => {
    let redacted = redactMarkdown(piece, redaction);
    for (const [text, cut] of known) {
      if (redacted.includes(text))
        redacted = redacted.replaceAll(text, () => placeholderOf(cut, text, replaceStyle));
    }
    return redacted;
  };
}

function findCuts(markdown: string, { mode, entities = [], also = [] }: Redaction): readonly SourcePiece[] {
  const readable = readMarkdown(markdown);
  const found = findPersonalData(readable.text, mode);
  const spans = also.length > 0 ? withoutOverlaps([...found, ...knownTexts(readable.text, also)]) : found;
  const inText = spans.flatMap((span) => sourcePieces(span, readable, markdown));
  const cuts = [...inText, ...cutsInAddresses(readable, markdown)]
    .filter(({ entity }) => entities.length === 0 || entities.includes(entity))
    .sort((a, b) => a.start - b.start);
  return cuts.filter(
    ({ start }, index) =>
      start >= Math.max(0, ...cuts.slice(Math.max(0, index - 1), index).map(({ end }) => end)),
  );
}
