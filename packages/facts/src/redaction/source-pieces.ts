import type { Readable } from "./readable.ts";
import type { SourcePiece } from "./replace.ts";
import type { Span } from "./span.ts";

/** Syntax that ends in the text what it began there, and can be taken out with it. */
const PAIRS: readonly { readonly opening: RegExp; readonly closing: RegExp }[] = [
  { opening: /\[/g, closing: /\]/g },
  { opening: /</g, closing: />/g },
];

/**
 * The pieces of the source that make up a span of its readable text. It is one piece, with the syntax in between, when
 * that is whole in itself; otherwise the syntax stays, and each piece of text around it is a cut of its own.
 */
export function sourcePieces(span: Span, { offsets }: Readable, source: string): readonly SourcePiece[] {
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

/** A mail address between angles would leave them around its placeholder. */
function withAngles(cut: SourcePiece, source: string): SourcePiece {
  if (cut.entity !== "EMAIL" || source[cut.start - 1] !== "<" || source[cut.end] !== ">") return cut;
  return { ...cut, start: cut.start - 1, end: cut.end + 1 };
}
