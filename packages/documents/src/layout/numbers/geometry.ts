/** A rectangle in points; the origin is the top left corner of the page. */
export interface Rect {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

type Corners = readonly [x0: number, y0: number, x1: number, y1: number];

export function widthOf(rect: Rect): number {
  return rect.x1 - rect.x0;
}

export function heightOf(rect: Rect): number {
  return rect.y1 - rect.y0;
}

export function areaOf(rect: Rect): number {
  return Math.max(0, widthOf(rect)) * Math.max(0, heightOf(rect));
}

export function middleX(rect: Rect): number {
  return (rect.x0 + rect.x1) / 2;
}

export function middleY(rect: Rect): number {
  return (rect.y0 + rect.y1) / 2;
}

/** Negative values are the width of the gap. */
export function overlapX(a: Rect, b: Rect): number {
  return Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
}

/** Negative values are the height of the gap. */
export function overlapY(a: Rect, b: Rect): number {
  return Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
}

/** True if the centre of `inner` lies in `outer`. */
export function holdsMiddle(outer: Rect, inner: Rect): boolean {
  const x = middleX(inner);
  const y = middleY(inner);
  return x > outer.x0 && x < outer.x1 && y > outer.y0 && y < outer.y1;
}

/** The bounding box; with no rectangles, an inverted one (infinite limits). */
export function unionOf(rects: Iterable<Rect>): Rect {
  let x0 = Infinity;
  let y0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  for (const rect of rects) {
    x0 = Math.min(x0, rect.x0);
    y0 = Math.min(y0, rect.y0);
    x1 = Math.max(x1, rect.x1);
    y1 = Math.max(y1, rect.y1);
  }
  return { x0, y0, x1, y1 };
}

export function rectOf([x0, y0, x1, y1]: Corners): Rect {
  return { x0, y0, x1, y1 };
}

export function boxOf({ x0, y0, x1, y1 }: Rect): Corners {
  return [x0, y0, x1, y1];
}

/** The part of a rectangle that is on a page of this size. */
export function clip(rect: Rect, page: { readonly width: number; readonly height: number }): Rect {
  return {
    x0: Math.max(rect.x0, 0),
    y0: Math.max(rect.y0, 0),
    x1: Math.min(rect.x1, page.width),
    y1: Math.min(rect.y1, page.height),
  };
}

/**
 * White space from top to bottom, wider than `least`, that at most this many rectangles cross; from the left. The first has no
 * left end.
 */
export function gapsBetween(rects: readonly Rect[], most: number, least: number): Pick<Rect, "x0" | "x1">[] {
  const starts = Float64Array.from(rects.map(({ x0 }) => x0)).sort();
  const ends = Float64Array.from(rects.map(({ x1 }) => x1)).sort();
  const gaps: Pick<Rect, "x0" | "x1">[] = [];
  let [begun, ended, left] = [0, 0, -Infinity];
  while (begun < starts.length) {
    const [start, end] = [starts[begun] ?? 0, ends[ended] ?? 0];
    const open = begun - ended;
    if (open > 0 && end <= start) {
      if (open > most && open - 1 <= most) left = end;
      ended++;
    } else {
      if (open <= most && open + 1 > most && start - left > least) gaps.push({ x0: left, x1: start });
      begun++;
    }
  }
  return gaps;
}
