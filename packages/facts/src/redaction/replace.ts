import type { Entity, Redaction, Span } from "./span.ts";

type ReplaceStyle = Redaction["replaceStyle"];

/** What takes the place of a piece of text: one line per style (contract, section 3.26). */
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

/** Tags that stand for personal data, written so that readers of HTML take them for text. */
export function escapePlaceholders(text: string): string {
  return text.replace(TAG, "&lt;$1&gt;");
}

/** Whether all that a text says has been taken out of it. */
export function isTakenOut(text: string): boolean {
  const left = text.replace(TAG, "").replaceAll("*", "");
  return left !== text && !/[\p{L}\p{N}]/u.test(left);
}

/** A piece of the source that is taken out, whole. */
export interface SourcePiece extends Span {
  /** What is replaced in one go: false when the syntax around has to stay as it is. */
  readonly isText: boolean;
}

/** What takes the place of a text that was taken out. */
export function placeholderOf(span: Span, text: string, style: ReplaceStyle): string {
  return PLACEHOLDERS[style](span, text);
}

/** The source with every cut replaced. @param cuts in order, without overlap. */
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

/** Where two spaces would meet, one of them goes too. */
function afterDoubledSpace(source: string, { start, end }: SourcePiece): number {
  return source[start - 1] === " " && source[end] === " " ? end + 1 : end;
}
