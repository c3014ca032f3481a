/** A rectangle of grid cells; ends are exclusive. */
export interface Region {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** A grid with more pieces is scattered cells, and is treated as one region. */
const MAX_REGIONS = 500;

/**
 * Bounding boxes of cells connected by their sides, from top to bottom, then from left to right. Overlapping
 * boxes are merged, and parts of rows that gaps tore.
 * @param filled - by row, then by column: 1 if the cell is filled
 */
export function connectedRegions(filled: readonly Uint8Array[]): readonly Region[] {
  const regions = joinedRuns(filled);
  const isScattered = regions.length > MAX_REGIONS;
  const parts = isScattered ? [regions.reduce(joined)] : withoutOverlaps(regions);
  return wholeRows([...parts].sort((a, b) => a.top - b.top || a.left - b.left));
}

/** Parts of the same rows, torn apart by empty cells, are one region again, if they are rows of a table or of its column. */
function wholeRows(regions: readonly Region[]): readonly Region[] {
  const whole: Region[] = [];
  for (let at = 0; at < regions.length;) {
    const [first] = regions.slice(at, at + 1) as [Region];
    const next = regions.findIndex((one, place) => place > at && !areSameRows(first, one));
    const parts = regions.slice(at, next < 0 ? undefined : next);
    at += parts.length;
    const row = parts.reduce(joined);
    const above = whole.findIndex((one) => isTableAbove(one, row));
    if (parts.length > 1 && above >= 0) whole[above] = joined(whole[above] ?? row, row);
    else whole.push(...(isBesideColumn(parts) ? [row] : parts));
  }
  return whole;
}

function areSameRows(one: Region, other: Region): boolean {
  return one.top === other.top && one.bottom === other.bottom;
}

/** Only an empty row lies between them. */
function isTableAbove(table: Region, row: Region): boolean {
  return table.bottom + 1 === row.top && table.left <= row.left && row.right <= table.right;
}

/** The names of rows stand in a column of their own, an empty one beside what they name. */
function isBesideColumn([names, values, ...others]: readonly Region[]): boolean {
  if (!names || !values || others.length > 0) return false;
  const isColumn = names.right - names.left === 1 && names.bottom - names.top > 1;
  return isColumn && values.left === names.right + 1;
}

/** Bounding boxes of runs connected to runs of the row before. */
function joinedRuns(filled: readonly Uint8Array[]): readonly Region[] {
  const runs = filled.map((row, top) => runsOf(row, top));
  const groups = new Groups();
  runs.flat().forEach((run) => groups.add(run));
  let first = 0;
  runs.forEach((row, at) => {
    const next = runs[at + 1] ?? [];
    joinRows({ row, first }, { row: next, first: first + row.length }, groups);
    first += row.length;
  });
  return groups.regions();
}

function runsOf(row: Uint8Array, top: number): readonly Region[] {
  const runs: Region[] = [];
  let left = row.indexOf(1);
  while (left >= 0) {
    const end = row.indexOf(0, left);
    const right = end < 0 ? row.length : end;
    runs.push({ top, bottom: top + 1, left, right });
    left = row.indexOf(1, right);
  }
  return runs;
}

interface RowOfRuns {
  readonly row: readonly Region[];
  /** Index of the row's first run. */
  readonly first: number;
}

function joinRows(upper: RowOfRuns, lower: RowOfRuns, groups: Groups): void {
  let [above, below] = [0, 0];
  for (;;) {
    const [one, other] = [upper.row[above], lower.row[below]];
    if (!one || !other) return;
    if (one.left < other.right && other.left < one.right)
      groups.join(upper.first + above, lower.first + below);
    if (one.right < other.right) above++;
    else below++;
  }
}

/** Union-find over numbered rectangles, with path halving. */
class Groups {
  readonly #parents: number[] = [];
  readonly #members: Region[] = [];

  add(region: Region): void {
    this.#parents.push(this.#members.length);
    this.#members.push(region);
  }

  join(one: number, other: number): void {
    this.#parents[this.#rootOf(other)] = this.#rootOf(one);
  }

  regions(): readonly Region[] {
    const byRoot = new Map<number, Region>();
    this.#members.forEach((member, at) => {
      const root = this.#rootOf(at);
      const known = byRoot.get(root);
      byRoot.set(root, known ? joined(known, member) : member);
    });
    return [...byRoot.values()];
  }

  #rootOf(member: number): number {
    let at = member;
    for (;;) {
      const parent = this.#parents[at] ?? at;
      if (parent === at) return at;
      const grandparent = this.#parents[parent] ?? parent;
      this.#parents[at] = grandparent;
      at = grandparent;
    }
  }
}

function withoutOverlaps(regions: readonly Region[]): readonly Region[] {
  const kept: Region[] = [];
  for (const region of regions) {
    let grown = region;
    // The grown box may overlap further boxes.
    for (let at = overlapping(kept, grown); at >= 0; at = overlapping(kept, grown))
      grown = joined(grown, ...(kept.splice(at, 1) as [Region]));
    kept.push(grown);
  }
  return kept;
}

function overlapping(kept: readonly Region[], region: Region): number {
  return kept.findIndex(
    (one) =>
      one.left < region.right &&
      region.left < one.right &&
      one.top < region.bottom &&
      region.top < one.bottom,
  );
}

/** The smallest rectangle around both. */
function joined(one: Region, other: Region): Region {
  return {
    top: Math.min(one.top, other.top),
    bottom: Math.max(one.bottom, other.bottom),
    left: Math.min(one.left, other.left),
    right: Math.max(one.right, other.right),
  };
}
