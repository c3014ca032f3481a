/** An atom of a pattern: an escape, a class, or a character that is not an operator. */
const TOKEN =
  /\\(?:[pP]\{[^}]*\}|x\{[^}]*\}|Q[\s\S]*?(?:\\E|$)|[\s\S]|$)|\[\]?(?:\\[\s\S]|\[:\w+:\]|[^\]\\])*\]?|\{\d+(?:,\d*)?\}|[\s\S]/g;
const COUNT = /^\{(\d+)(?:,(\d*))?\}$/;

/**
 * Estimates the number of instructions of a pattern without compiling it, because counted repetitions of
 * groups make short patterns large. The estimate is never much too low.
 */
export function programSizeOf(pattern: string): number {
  const groups = [0];
  let atom = 0;
  let size = 0;
  for (const [token] of pattern.matchAll(TOKEN)) {
    const [, least = "", most = ""] = COUNT.exec(token) ?? [];
    if (least !== "") {
      size += atom * (Math.max(Number(least), Number(most), 1) - 1);
      atom *= Math.max(Number(least), Number(most), 1);
    } else if (token === "(") {
      groups.push(size);
      size = 0;
    } else if (token === ")" && groups.length > 1) {
      atom = size + 2;
      size = (groups.pop() ?? 0) + atom;
    } else if (/^[*+?|]$/.test(token)) {
      atom += 1;
      size += 1;
    } else {
      atom = token.startsWith("\\Q") ? Math.max(1, token.length - 4) : 1;
      size += atom;
    }
  }
  return groups.reduce((sum, outer) => sum + outer, size);
}

/** Estimates the number of instructions of all patterns. The worst matching time grows with it. */
export function sizeOfPatterns({
  include,
  exclude,
}: {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}): number {
  return [...include, ...exclude].reduce((sum, pattern) => sum + programSizeOf(pattern), 0);
}
