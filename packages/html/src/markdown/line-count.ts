/**
 * Code without the lines that only count the others: `1`, code, `2`, code. Blank lines of code may be missing. Code that
 * does not start that way, or consists of little more than figures, stays as it is.
 */
export function withoutLineCount(code: string): string {
  if (!/^\s*1\s*\n/.test(code)) return code;
  const lines = code.trim().split("\n");
  const kept: string[] = [];
  let next = 1;
  let isCounted = false;
  for (const line of lines) {
    const isCount = line.trim() === String(next);
    if (!isCount && !isCounted) return code;
    if (!isCount) kept.push(line);
    else if (isCounted) kept.push("");
    if (isCount) next++;
    isCounted = isCount;
  }
  const filled = kept.filter((line) => line.trim() !== "");
  return next > 2 && filled.length * 2 >= next - 1 ? kept.join("\n") : code;
}
