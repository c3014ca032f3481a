import type { TypedPage, TypedPart } from "./typed-part.ts";

const DEEPEST = 6;
const NUMBER = /^(\d+(?:\.\d+)*)\.?\s/;

/** The levels of headings, from 1: as tags say, else by their numbers, else by their sizes. */
export function headingLevels(pages: readonly TypedPage[]): ReadonlyMap<TypedPart, number> {
  const headings = pages.flatMap(({ parts }) => parts.filter(({ type }) => type === "section_header"));
  const sizes = [...new Set(headings.filter(({ level }) => level === undefined).map(sizeOf))].sort(
    (a, b) => b - a,
  );
  return new Map(headings.map((heading) => [heading, Math.min(DEEPEST, levelOf(heading, sizes))]));
}

function levelOf(heading: TypedPart, sizes: readonly number[]): number {
  const number = heading.part.kind === "text" ? NUMBER.exec(heading.part.text)?.[1] : undefined;
  return heading.level ?? number?.split(".").length ?? sizes.indexOf(sizeOf(heading)) + 1;
}

/** In half points. */
function sizeOf({ part }: TypedPart): number {
  return part.kind === "text" ? Math.round((part.lines[0]?.size ?? 0) * 2) : 0;
}
