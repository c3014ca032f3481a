const QUOTES = "\"'`";
/** Characters for letters after a backslash; an escaped line end stands for nothing. */
const ESCAPES = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
  ["\n", ""],
]);

/** Exclusive end of the quoted text that begins at `from`; -1 if it is unterminated. */
export function endOfQuoted(source: string, from: number): number {
  const quote = source.charAt(from);
  for (let at = source.indexOf(quote, from + 1); at >= 0; at = source.indexOf(quote, at + 1)) {
    let first = at;
    while (source.charAt(first - 1) === "\\") first--;
    if ((at - first) % 2 === 0) return at + 1;
  }
  return -1;
}

/** Removes the quotes and resolves escapes. */
export function unquoted(quoted: string): string {
  const inner = quoted.slice(1, -1);
  if (!inner.includes("\\")) return inner;
  return inner.replace(/\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^])/g, (_, escape: string) => unescaped(escape));
}

/** End of the white space and comments from `from` on. */
export function endOfBlank(source: string, from: number): number {
  let at = from;
  for (;;) {
    while (isSpace(source.charCodeAt(at))) at++;
    if (source.charAt(at) !== "/") return at;
    if (source.startsWith("/*", at)) at = after(source, "*/", at + 2);
    else if (source.startsWith("//", at)) at = after(source, "\n", at + 2);
    else return at;
  }
}

/** End of the expression at `from`: the comma or bracket of the enclosing value. */
export function endOfExpression(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    const character = source.charAt(at);
    if (QUOTES.includes(character)) {
      const end = endOfQuoted(source, at);
      if (end < 0) return source.length;
      at = end - 1;
    } else if ("([{".includes(character)) depth++;
    else if (depth === 0 && ",)]}".includes(character)) return at;
    else if (")]}".includes(character)) depth--;
  }
  return source.length;
}

function unescaped(escape: string): string {
  const code = /^[ux]./.test(escape) && escape.length > 2 ? Number.parseInt(escape.slice(1), 16) : undefined;
  if (code !== undefined) return String.fromCharCode(code);
  return ESCAPES.get(escape) ?? escape;
}

function after(source: string, closing: string, from: number): number {
  const at = source.indexOf(closing, from);
  return at < 0 ? source.length : at + closing.length;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;
}
