/**
 * The source with comments, template literals and regular expressions blanked out (line breaks kept), so that
 * a plain search finds code only. Quoted strings stay: import paths are strings.
 */
export function codeOf(source) {
  let code = "";
  let index = 0;
  while (index < source.length) {
    const end = endOfToken(source, index, code);
    const text = source.slice(index, end);
    code += isBlanked(text) ? blank(text) : text;
    index = end;
  }
  return code;
}

/** End of the comment, string, template or regular expression that starts at `index`; else `index + 1`. */
function endOfToken(source, index, codeBefore) {
  const character = source[index];
  if (character === '"' || character === "'") return endOfString(source, index);
  if (character === "`") return endOfTemplate(source, index);
  if (character !== "/") return index + 1;
  if (source[index + 1] === "/") return indexOrEnd(source, "\n", index);
  if (source[index + 1] === "*") return indexOrEnd(source, "*/", index + 2) + 2;
  return startsExpression(codeBefore) ? endOfRegularExpression(source, index) : index + 1;
}

function endOfString(source, start) {
  for (let index = start + 1; index < source.length; index++) {
    if (source[index] === "\\") index++;
    else if (source[index] === source[start] || source[index] === "\n") return index + 1;
  }
  return source.length;
}

/** Skips `${…}` parts, including templates inside them. */
function endOfTemplate(source, start) {
  for (let index = start + 1; index < source.length; index++) {
    if (source[index] === "\\") index++;
    else if (source[index] === "`") return index + 1;
    else if (source.startsWith("${", index)) index = endOfBraces(source, index + 1);
  }
  return source.length;
}

/** Index of the brace that closes the one at `start`. */
function endOfBraces(source, start) {
  let depth = 0;
  for (let index = start; index < source.length; index++) {
    if (source[index] === "`") index = endOfTemplate(source, index) - 1;
    else if (source[index] === "{") depth++;
    else if (source[index] === "}" && --depth === 0) return index;
  }
  return source.length;
}

function endOfRegularExpression(source, start) {
  let isInClass = false;
  for (let index = start + 1; index < source.length && source[index] !== "\n"; index++) {
    if (source[index] === "\\") index++;
    else if (source[index] === "[") isInClass = true;
    else if (source[index] === "]") isInClass = false;
    else if (source[index] === "/" && !isInClass) return index + 1;
  }
  return start + 1;
}

/** Whether a slash after this code starts a regular expression; otherwise it divides. */
function startsExpression(codeBefore) {
  return /(?:^|[([{,;:=!?&|+>]|\b(?:return|case|typeof|await))\s*$/.test(codeBefore.slice(-20));
}

function isBlanked(text) {
  return text.length > 1 && (text.startsWith("/") || text.startsWith("`"));
}

function blank(text) {
  return text.replace(/[^\n]/g, " ");
}

function indexOrEnd(source, wanted, from) {
  const index = source.indexOf(wanted, from);
  return index === -1 ? source.length : index;
}
