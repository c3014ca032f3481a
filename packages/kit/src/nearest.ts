/** With a larger share of changed letters, a name is a different name rather than a typing error. */
const MAX_CHANGED = 0.5;

/**
 * Returns the name that was probably meant, ignoring case; undefined when none is similar.
 * @param maxChanged largest share of letters that differ.
 */
export function nearestName(
  written: string,
  names: readonly string[],
  maxChanged = MAX_CHANGED,
): string | undefined {
  const upper = written.toUpperCase();
  const [nearest] = names
    .map((name) => ({ name, distance: editDistance(upper, name.toUpperCase(), maxChanged) }))
    .filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.distance - b.distance);
  return nearest?.name;
}

/** Letters to insert, delete or replace to turn one text into the other (Levenshtein), if they are at most this share. */
function editDistance(from: string, to: string, maxChanged: number): number {
  const most = Math.max(from.length, to.length) * maxChanged;
  if (Math.abs(from.length - to.length) > most) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: to.length + 1 }, (_entry, index) => index);
  for (const [fromIndex, letter] of Array.from(from).entries()) {
    const next = [fromIndex + 1];
    for (let index = 1; index <= to.length; index += 1) {
      const replaced = (row[index - 1] ?? 0) + (letter === to[index - 1] ? 0 : 1);
      next.push(Math.min((next[index - 1] ?? 0) + 1, (row[index] ?? 0) + 1, replaced));
    }
    // No later row has a smaller one.
    if (Math.min(...next) > most) return Number.POSITIVE_INFINITY;
    row = next;
  }
  const distance = row.at(-1) ?? 0;
  return distance > most ? Number.POSITIVE_INFINITY : distance;
}
