/** Matches a piece of a word: plain letters, `'…'`, `"…"` or an escaped letter. */
const PIECE = /[^\s"'\\]+|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/y;

/** Splits a line into words as a shell does, without its expansions. @throws Error when a quote is not closed. */
export function splitLine(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < line.length) {
    PIECE.lastIndex = at;
    const piece = PIECE.exec(line);
    if (!piece && !/\s/.test(line.charAt(at))) throw new Error(`A quote is not closed: ${line}`);
    if (!piece && word !== undefined) words.push(word);
    word = piece ? (word ?? "") + textOf(piece) : undefined;
    at = piece ? at + piece[0].length : at + 1;
  }
  return word === undefined ? words : [...words, word];
}

function textOf([whole, single, double, escaped]: RegExpExecArray): string {
  if (double !== undefined) return double.replaceAll(/\\(["\\$`])/g, "$1");
  return single ?? escaped ?? whole;
}
