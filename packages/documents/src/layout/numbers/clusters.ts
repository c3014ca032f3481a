import { type Rect, unionOf } from "./geometry.ts";

/** In points. Grid size: rectangles in the same or adjacent squares form one cluster. */
const SQUARE = 8;

/** The bounding boxes of groups of rectangles that touch or nearly touch. */
export function clustersOf(rects: readonly Rect[], page: { readonly width: number }): Rect[] {
  const columns = Math.ceil(page.width / SQUARE) + 1;
  const owners = new Map<number, number>();
  const parents = rects.map((_, index) => index);
  const find = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root] as number;
    return root;
  };
  rects.forEach((rect, index) => {
    for (const square of squaresOf(rect, columns)) {
      const owner = owners.get(square);
      if (owner === undefined) owners.set(square, index);
      else parents[find(index)] = find(owner);
    }
  });
  const clusters = new Map<number, Rect>();
  rects.forEach((rect, index) => {
    const root = find(index);
    clusters.set(root, unionOf([rect, clusters.get(root) ?? rect]));
  });
  return [...clusters.values()];
}

/** Includes the adjacent squares. */
function squaresOf(rect: Rect, columns: number): number[] {
  const at = (value: number) => Math.floor(value / SQUARE);
  const squares: number[] = [];
  for (let y = at(rect.y0) - 1; y <= at(rect.y1) + 1; y++) {
    for (let x = at(rect.x0) - 1; x <= at(rect.x1) + 1; x++) squares.push(y * columns + x);
  }
  return squares;
}
