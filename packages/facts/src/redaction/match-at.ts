/**
 * Match of a sticky pattern at an index. Sets `lastIndex` each time, so no state is left from the last match.
 */
export function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text) ?? undefined;
}
