import { findPersonalData } from "./find.ts";
import { type Readable, readMarkdown } from "./readable.ts";
import { placeholderOf, replaceCuts, type SourcePiece } from "./replace.ts";
import { type KnownText, type Redaction, type Span, withoutOverlaps } from "./span.ts";
import { detectors } from "./detectors.ts";

/** In characters. Shorter texts occur too often with another meaning. */
const SHORTEST_KNOWN = 4;

/**
 * Markdown without personal data. Links, code and tables stay intact.
 *
 * @throws on any error: a text that could not be searched must not be answered.
 */
export function redactMarkdown(markdown: string, redaction: Redaction): string {
  return replaceCuts(markdown, findCuts(markdown, redaction), redaction.replaceStyle);
}

/**
 * Redacts pieces of a Markdown text, such as its pages. Each piece is searched on its own, and for everything
 * found in the whole text, as a piece has less context.
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

/** A digit, or a letter of a script with spaces between words. */
const WORD = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;

/** Occurrences of known personal data as whole words. */
function knownTexts(text: string, known: readonly KnownText[]): readonly Span[] {
  return known.flatMap(({ text: piece, entity }) => {
    const spans: Span[] = [];
    for (let start = find(text, piece, 0); start >= 0; start = find(text, piece, start + piece.length)) {
      const end = start + piece.length;
      if (isEdge(text[start - 1], piece[0]) && isEdge(piece.at(-1), text[end]))
        spans.push({ start, end, entity });
    }
    return spans;
  });
}

function find(text: string, piece: string, from: number): number {
  return piece === "" ? -1 : text.indexOf(piece, from);
}

/** True if no word spans the two characters. */
function isEdge(before: string | undefined, after: string | undefined): boolean {
  return !WORD.test(before ?? "") || !WORD.test(after ?? "");
}

const CALLED =
  /^(?:tel|sms|callto|fax|whatsapp):(?:\/\/)?(?<number>[^?#]+)|^https?:\/\/(?:wa\.me|api\.whatsapp\.com\/send\/?\?phone=)\/?(?<chat>\+?\d{7,15})/i;

/** Personal data in URLs. What remains of a URL is still a URL. */
function cutsInAddresses({ addresses }: Readable, source: string): readonly SourcePiece[] {
  return addresses.flatMap(({ start, end }) => {
    const address = source.slice(start, end);
    if (address === "" || /^data:/i.test(address)) return [];
    const found = [
      ...calledNumber(address),
      ...detectors.flatMap((detector) => (detector.readsAddresses ? detector.find(address) : [])),
    ];
    return withoutOverlaps(found).map((span) => ({
      ...span,
      start: start + span.start,
      end: start + span.end,
      isText: false,
    }));
  });
}

function calledNumber(address: string): readonly Span[] {
  const groups = CALLED.exec(address)?.groups;
  const number = groups?.["number"] ?? groups?.["chat"];
  if (number === undefined) return [];
  const start = address.indexOf(number);
  return [{ start, end: start + number.length, entity: "PHONE" }];
}

/** Paired syntax that can be removed together with the text inside. */
const PAIRS: readonly { readonly opening: RegExp; readonly closing: RegExp }[] = [
  { opening: /\[/g, closing: /\]/g },
  { opening: /</g, closing: />/g },
];

/**
 * The source ranges of a span of visible text. It is one range, including syntax, if that syntax is balanced;
 * otherwise the syntax stays, and each text piece is a cut of its own.
 */
function sourcePieces(span: Span, { offsets }: Readable, source: string): readonly SourcePiece[] {
  const pieces = piecesOf(span, offsets);
  const first = pieces[0];
  const last = pieces.at(-1);
  if (!first || !last) return [];
  const syntax = pieces.slice(1).map(({ start }, index) => source.slice(pieces[index]?.end, start));
  const whole = { start: first.start, end: last.end, entity: span.entity, isText: true };
  if (isWhole(syntax)) return [withAngles(whole, source)];
  return pieces
    .filter(({ start, end }) => /\S/.test(source.slice(start, end)))
    .map((piece) => ({ ...piece, entity: span.entity, isText: true }));
}

function piecesOf({ start, end }: Span, offsets: Int32Array): readonly { start: number; end: number }[] {
  const pieces: { start: number; end: number }[] = [];
  for (let index = start; index < end; index++) {
    const at = offsets[index] as number;
    const open = pieces.at(-1);
    if (open?.end === at) open.end = at + 1;
    else pieces.push({ start: at, end: at + 1 });
  }
  return pieces;
}

function isWhole(syntax: readonly string[]): boolean {
  const joined = syntax.join(" ").replaceAll("\\", "");
  const marks = joined.match(/\*+|_+|~+|`+/g) ?? [];
  const isPaired = marks.every((mark) => marks.filter((other) => other === mark).length % 2 === 0);
  const count = (pattern: RegExp) => joined.match(pattern)?.length ?? 0;
  return isPaired && PAIRS.every(({ opening, closing }) => count(opening) === count(closing));
}

/** Includes the angle brackets around a mail address, so that they do not remain around the placeholder. */
function withAngles(cut: SourcePiece, source: string): SourcePiece {
  if (cut.entity !== "EMAIL" || source[cut.start - 1] !== "<" || source[cut.end] !== ">") return cut;
  return { ...cut, start: cut.start - 1, end: cut.end + 1 };
}
