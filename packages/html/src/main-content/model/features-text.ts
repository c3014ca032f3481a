import type { PageTables } from "../tables/page-tables.ts";
import type { Rows } from "./rows.ts";

const COPYRIGHT = 0xa9;
const PLUS = 43;

/** What a block's text is like. */
export function writeTextFeatures({ blocks, texts, repetition }: PageTables, block: number, row: Rows): void {
  const chars = texts.chars[block] ?? 0;
  const words = texts.words[block] ?? 0;
  row.put(chars);
  row.put(words);
  row.share(texts.linkChars[block] ?? 0, chars);
  row.put(blocks.links[block] ?? 0);
  row.put(blocks.linkKind[block] ?? 0);
  row.put(blocks.breaks[block] ?? 0);
  row.put(blocks.images[block] ?? 0);
  row.share(texts.commas[block] ?? 0, words);
  row.share(texts.stops[block] ?? 0, words);
  row.share(chars, words);
  row.share(texts.digits[block] ?? 0, chars);
  row.share(texts.capitals[block] ?? 0, chars);
  row.share(texts.marks[block] ?? 0, chars);
  writeEdges(texts.firstCode[block] ?? 0, texts.lastCode[block] ?? 0, row);
  row.put(texts.odds[block] ?? 0);
  row.share(texts.odds[block] ?? 0, texts.known[block] ?? 0);
  row.put(texts.leastOdds[block] ?? 0);
  row.put(texts.greatestOdds[block] ?? 0);
  row.put(texts.firstOdds[block] ?? 0);
  row.put(texts.wholeOdds[block] ?? 0);
  row.share(texts.titleHits[block] ?? 0, Math.min(words, 32));
  row.put(texts.titleHits[block] ?? 0);
  row.put(texts.descriptionHits[block] ?? 0);
  row.share(texts.dataHits[block] ?? 0, Math.min(words, 32));
  row.put(Math.min(20, repetition.duplicates[block] ?? 0));
}

function writeEdges(first: number, last: number, row: Rows): void {
  row.put(last === 46 || last === 33 || last === 63 || last === 0x3002 ? 2 : last === 58 ? 1 : 0);
  row.flag(first === COPYRIGHT);
  row.put(
    first < 128
      ? first >= 48 && first <= 57
        ? 1
        : first >= 97 && first <= 122
          ? 2
          : first >= 65
            ? 3
            : 0
      : 4,
  );
  row.flag(first === PLUS || first === 36 || first === 0x20ac || first === 0xa3);
}
