/** What a sticky pattern finds at an index, if anything. It is set again each time, so that nothing is left of the last one. */
export function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text) ?? undefined;
}
