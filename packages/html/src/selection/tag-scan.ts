/** The offset after the name of a tag that starts at `from`. */
export function endOfName(html: string, from: number): number {
  let at = from;
  while (at < html.length && isNameCharacter(html.charCodeAt(at))) at += 1;
  return at;
}

/** Letters, digits, hyphen and colon: what the names that matter here are made of. */
function isNameCharacter(code: number): boolean {
  const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
  return isLetter || (code >= 48 && code <= 58) || code === 45;
}

/** The offset after the tag's `>`, which does not count inside quotes. */
export function endOfTag(html: string, from: number): number {
  for (let at = from; at < html.length; at += 1) {
    const character = html[at];
    if (character === ">") return at + 1;
    if (character !== '"' && character !== "'") continue;
    const close = html.indexOf(character, at + 1);
    if (close < 0) return html.length;
    at = close;
  }
  return html.length;
}

/** The offset of the end tag, which is then read as such. */
export function endOfOpaque(html: string, name: string, from: number): number {
  const plain = html.indexOf(`</${name}`, from);
  if (plain >= 0) return plain;
  const upper = html.indexOf(`</${name.toUpperCase()}`, from);
  return upper >= 0 ? upper : html.length;
}
