/** Longer sequences are matched piece by piece. */
const MAX_CELLS = 12_000_000;

/** Which of `words` belong to a longest common subsequence with `reference`: 1 or 0 each. */
export function matchInOrder(words: readonly string[], reference: readonly string[]): Uint8Array {
  const matched = new Uint8Array(words.length);
  const rows = words.length + 1;
  const columns = Math.min(reference.length, Math.floor(MAX_CELLS / rows)) + 1;
  if (rows === 1 || columns === 1) return matched;
  const lengths = new Uint16Array(rows * columns);
  for (let row = rows - 2; row >= 0; row--) {
    for (let column = columns - 2; column >= 0; column--) {
      const at = row * columns + column;
      lengths[at] =
        words[row] === reference[column]
          ? (lengths[at + columns + 1] ?? 0) + 1
          : Math.max(lengths[at + columns] ?? 0, lengths[at + 1] ?? 0);
    }
  }
  let row = 0;
  let column = 0;
  while (row < rows - 1 && column < columns - 1) {
    const at = row * columns + column;
    if (words[row] === reference[column]) {
      matched[row] = 1;
      row++;
      column++;
    } else if ((lengths[at + columns] ?? 0) >= (lengths[at + 1] ?? 0)) row++;
    else column++;
  }
  return matched;
}
