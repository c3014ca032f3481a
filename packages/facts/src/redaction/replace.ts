import type { Entity, Redaction, Span } from "./span.ts";

type ReplaceStyle = Redaction["replaceStyle"];

/** Replacement of a text: one line per style (contract, section 3.26). */
const PLACEHOLDERS: Readonly<Record<ReplaceStyle, (span: Span, piece: string) => string>> = {
  tag: ({ entity }) => `<${entity}>`,
  mask: (_span, piece) => "*".repeat(Array.from(piece).length),
  remove: () => "",
};

const ENTITIES: Readonly<Record<Entity, true>> = {
  PERSON: true,
  EMAIL: true,
  PHONE: true,
  LOCATION: true,
  FINANCIAL: true,
  SECRET: true,
};
const TAG = new RegExp(`<(${Object.keys(ENTITIES).join("|")})>`, "g");

/** Escapes placeholder tags, so that HTML shows them as text. */
export function escapePlaceholders(text: string): string {
  return text.replace(TAG, "&lt;$1&gt;");
}

/** True if only placeholders are left of the text. */
export function isTakenOut(text: string): boolean {
  const left = text.replace(TAG, "").replaceAll("*", "");
  return left !== text && !/[\p{L}\p{N}]/u.test(left);
}

/** A source range that is removed completely. */
export interface SourcePiece extends Span {
  /** False if surrounding syntax must stay, so that the range is not replaced as one text. */
  readonly isText: boolean;
}

export function placeholderOf(span: Span, text: string, style: ReplaceStyle): string {
  return PLACEHOLDERS[style](span, text);
}

/** Replaces every cut. @param cuts in order, without overlap. */
export function replaceCuts(source: string, cuts: readonly SourcePiece[], style: ReplaceStyle): string {
  const parts: string[] = [];
  let at = 0;
  for (const cut of cuts) {
    parts.push(source.slice(at, cut.start), placeholderOf(cut, source.slice(cut.start, cut.end), style));
    at = style === "remove" && cut.isText ? afterDoubledSpace(source, cut) : cut.end;
  }
  parts.push(source.slice(at));
  return parts.join("");
}

/** If removal would leave two adjacent spaces, one is dropped. */
function afterDoubledSpace(source: string, { start, end }: SourcePiece): number {
  return source[start - 1] === " " && source[end] === " " ? end + 1 : end;
}
