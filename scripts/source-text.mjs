/** What may begin a string, a template, a comment or a regular expression. */
const SPECIAL = /["'`/]/g;

/**
 * The source with comments, template literals and regular expressions blanked out (line breaks kept), so that
 * a plain search finds code only. Quoted strings stay: import paths are strings.
 */
export function codeOf(source) {
  return scan(source).code;
}

/** The template literals of a source, in its order, as they are written. */
export function templatesOf(source) {
  return scan(source).tokens.filter((text) => text.startsWith("`"));
}

/** Goes from one quote or slash to the next: what is in between is code, and taken over as it is. */
function scan(source) {
  const tokens = [];
  let code = "";
  let index = 0;
  while (index < source.length) {
    const start = nextSpecial(source, index);
    code += source.slice(index, start);
    index = endOfToken(source, start, code);
    const text = source.slice(start, index);
    code += isBlanked(text) ? blank(text) : text;
    tokens.push(text);
  }
  return { code, tokens };
}

function nextSpecial(source, from) {
  SPECIAL.lastIndex = from;
  return SPECIAL.exec(source)?.index ?? source.length;
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
