/** Longer globs, and globs with more stars, are refused: the work grows with stars and length of the text. */
const MAX_LENGTH = 1000;
const MAX_STARS = 32;
/** Longer texts match no glob. */
const MAX_TEXT_LENGTH = 65_536;

class GlobTooLong extends Error {
  override readonly name = "GlobTooLong";
}

/**
 * Whether a whole text is what a glob says: `**` stands for anything, `*` for anything within a part between slashes.
 * Every position of the text is looked at once for each part of the glob, even if the glob repeats parts.
 * @throws GlobTooLong
 */
export function matchesGlob(glob: string, text: string): boolean {
  const tokens = glob.split(/(\*\*?)/).filter((token) => token !== "");
  if (glob.length > MAX_LENGTH || tokens.filter(isStar).length > MAX_STARS) {
    throw new GlobTooLong(`A URL pattern can have at most ${MAX_LENGTH} characters and ${MAX_STARS} stars.`);
  }
  if (text.length > MAX_TEXT_LENGTH) return false;
  let reached = new Uint8Array(text.length + 1);
  reached[0] = 1;
  for (const token of tokens)
    reached = isStar(token) ? beyondStar(token, text, reached) : behind(token, text, reached);
  return reached[text.length] === 1;
}

function isStar(token: string): boolean {
  return token.startsWith("*");
}

/** The positions that a literal leads to. */
function behind(literal: string, text: string, reached: Uint8Array): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(reached.length);
  for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + 1)) {
    if (reached[at] === 1) next[at + literal.length] = 1;
  }
  return next;
}

/** The positions that a star leads to. */
function beyondStar(star: string, text: string, reached: Uint8Array): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(reached.length);
  let isOpen = false;
  for (let at = 0; at < next.length; at += 1) {
    if (star === "*" && text[at - 1] === "/") isOpen = false;
    if (reached[at] === 1) isOpen = true;
    if (isOpen) next[at] = 1;
  }
  return next;
}
