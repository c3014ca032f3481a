/** Where the highest score stands, the first of equals; -1 when there is none. */
export function indexOfHighest(scores: readonly number[]): number {
  return scores.reduce((top, score, at) => (score > (scores[top] ?? -Infinity) ? at : top), -1);
}
