import { parseHtml } from "../../packages/html/src/parser/parse.ts";
import { findFlaws } from "../../test/damaged-page.ts";

/** Hardly more than tags, and as much of them as a page may have: some seven million nodes. */
const DENSE = "<div class='a b'><p>Hello <b>w</b> &amp; x</p></div>\n";
const DENSE_BYTES = 50_000_000;
const NODES_OF_DENSE = 7;

/** Damages a page in as many ways as there are seeds, and reads the largest one. @returns what is wrong, in words. */
export function readDamagedPages(seeds: number): readonly string[] {
  const problems = Array.from({ length: seeds }, (_, index) => findFlaws(index + 1)).flat();
  const count = Math.ceil(DENSE_BYTES / DENSE.length);
  const { size } = parseHtml(DENSE.repeat(count));
  const expected = 1 + NODES_OF_DENSE * count;
  return size === expected ? problems : [...problems, `${size} nodes of ${expected} were read`];
}
