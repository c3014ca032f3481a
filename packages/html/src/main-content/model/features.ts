import { writeContainerFeatures, writeNeighbourFeatures, writeSeriesFeatures } from "./features-around.ts";
import { writePositionFeatures } from "./features-page.ts";
import { writePlaceFeatures } from "./features-place.ts";
import { writeTextFeatures } from "./features-text.ts";
import type { PageTables } from "../tables/page-tables.ts";
import type { Rows } from "./rows.ts";

type FeatureGroup = (page: PageTables, block: number, row: Rows) => void;

/** What a block is described by, in the order of the model's columns; the page's own numbers follow. */
const GROUPS: readonly FeatureGroup[] = [
  writeTextFeatures,
  writePlaceFeatures,
  writeContainerFeatures,
  writeSeriesFeatures,
  writeNeighbourFeatures,
  writePositionFeatures,
];

/** Describes some blocks of a page, one row each, but for the page's own numbers. */
export function writeFeatures(page: PageTables, blocks: Int32Array, rows: Rows): void {
  for (const block of blocks) {
    rows.begin();
    for (const write of GROUPS) write(page, block, rows);
  }
}
