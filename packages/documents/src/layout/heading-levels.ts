import type { TypedPage, TypedPart } from "./typed-part.ts";

const MAX_DEPTH = 6;
/** The number of a section, as "2", "2.1" or "2.1.3"; a quantity is not such a number. */
const NUMBER = /^([1-9]\d?(?:\.\d{1,2})*)\.?\s+\p{L}/u;
/** Fewer numbered headings do not tell how a document is divided. */
const LEAST_NUMBERED = 2;
/** Sizes of the same kind of heading differ by less, in half points. */
const SAME_SIZE = 1;

/** The levels of headings, from 1: as tags say, else by their numbers, else by their sizes. */
export function headingLevels(pages: readonly TypedPage[]): ReadonlyMap<TypedPart, number> {
  const headings = pages.flatMap(({ parts }) => parts.filter(({ type }) => type === "section_header"));
  const untold = headings.filter(({ level }) => level === undefined);
  const levelOf = levelsByNumber(untold) ?? levelsBySize(untold);
  return new Map(
    headings.map((heading) => [heading, Math.min(MAX_DEPTH, heading.level ?? levelOf(heading))]),
  );
}

type LevelOf = (heading: TypedPart) => number;

function levelsBySize(headings: readonly TypedPart[]): LevelOf {
  const sizes = [...new Set(headings.map(sizeOf))].sort((a, b) => b - a);
  return (heading) => depthOf(heading) ?? sizes.indexOf(sizeOf(heading)) + 1;
}

/**
 * Numbers say how deep a heading is, and how large those of its depth are: one without a number is as deep as the
 * numbered ones of its size. What is larger than all of them, and is before them, is the title above them.
 */
function levelsByNumber(headings: readonly TypedPart[]): LevelOf | undefined {
  const numbered = headings.filter((heading) => depthOf(heading) !== undefined);
  if (numbered.length < LEAST_NUMBERED) return undefined;
  const sizes = sizesByDepth(numbered);
  const [deepest, largest] = [sizes.length, Math.max(...sizes)];
  const before = headings.slice(0, headings.indexOf(numbered[0] as TypedPart));
  const titleLevels = before.some((heading) => sizeOf(heading) > largest + SAME_SIZE) ? 1 : 0;
  return (heading) => {
    const depth = depthOf(heading);
    if (depth !== undefined) return depth + titleLevels;
    const size = sizeOf(heading);
    if (size > largest + SAME_SIZE) return 1;
    const alike = sizes.findIndex((other) => size >= other - SAME_SIZE);
    return (alike < 0 ? deepest + 1 : alike + 1) + titleLevels;
  };
}

/** The typical size of numbered headings of each depth, none larger than that above it. */
function sizesByDepth(numbered: readonly TypedPart[]): readonly number[] {
  const sizes: number[] = [];
  for (let depth = 1; depth <= MAX_DEPTH; depth++) {
    const own = numbered.filter((heading) => depthOf(heading) === depth).map(sizeOf);
    if (own.length === 0) continue;
    const middle = own.toSorted((a, b) => a - b)[Math.floor(own.length / 2)] as number;
    sizes[depth - 1] = middle;
  }
  return Array.from(sizes, (size, at) => size ?? Math.max(...sizes.slice(at).filter(Number)));
}

/** How many numbers its number has; undefined without one. */
function depthOf({ part }: TypedPart): number | undefined {
  const number = part.kind === "text" ? NUMBER.exec(part.text)?.[1] : undefined;
  return number?.split(".").length;
}

/** In half points. */
function sizeOf({ part }: TypedPart): number {
  return part.kind === "text" ? Math.round((part.lines[0]?.size ?? 0) * 2) : 0;
}
