import type { PageTables } from "./tables/page-tables.ts";
import { completeCards } from "./whole-cards.ts";
import { decideColumns } from "./columns.ts";
import { keepWhatBelongs } from "./belonging.ts";
import { dropNearRepeats } from "./near-repeats.ts";
import { keepSentences } from "./sentences.ts";
import { dropRepeats } from "./repeats.ts";

/**
 * Which blocks to keep, 1 or 0 by block: the set with the highest expected F1, decided table by table, list by list and
 * column by column, with the headings and the short gaps that belong to it, without repeats.
 */
export function chooseBlocks(page: PageTables, chances: Float32Array): Uint8Array {
  const { size } = page.blocks;
  const unitOf = page.units;
  const words = new Float64Array(size);
  const expected = new Float64Array(size);
  for (let block = 0; block < size; block++) {
    const unit = unitOf[block] ?? 0;
    const count = Math.max(1, page.texts.words[block] ?? 0);
    words[unit] = (words[unit] ?? 0) + count;
    expected[unit] = (expected[unit] ?? 0) + count * (chances[block] ?? 0);
  }
  const isChosen = bestSet(words, expected);
  const kept = new Uint8Array(size);
  for (let block = 0; block < size; block++) kept[block] = isChosen[unitOf[block] ?? 0] ?? 0;
  decideColumns(page, kept);
  completeCards(page, chances, kept);
  keepWhatBelongs(page, chances, kept);
  keepSentences(page, chances, kept);
  dropRepeats(page, kept);
  dropNearRepeats(page, kept);
  return kept;
}

/** The units with the highest expected F1 together: the likeliest ones, up to where another would lower it. */
function bestSet(words: Float64Array, expected: Float64Array): Uint8Array {
  const chances = new Float64Array(words.length);
  const units: number[] = [];
  let all = 0;
  for (let unit = 0; unit < words.length; unit++) {
    chances[unit] = (expected[unit] ?? 0) / (words[unit] ?? 1);
    all += expected[unit] ?? 0;
    if ((words[unit] ?? 0) > 0) units.push(unit);
  }
  units.sort((a, b) => (chances[b] ?? 0) - (chances[a] ?? 0) || a - b);
  let taken = 0;
  let hits = 0;
  let best = 0;
  let cut = 0;
  for (let order = 0; order < units.length; order++) {
    const unit = units[order] ?? 0;
    taken += words[unit] ?? 0;
    hits += expected[unit] ?? 0;
    const f1 = (2 * hits) / (taken + all);
    if (f1 <= best) continue;
    best = f1;
    cut = order + 1;
  }
  const isChosen = new Uint8Array(words.length);
  for (const unit of units.slice(0, cut)) isChosen[unit] = 1;
  return isChosen;
}
