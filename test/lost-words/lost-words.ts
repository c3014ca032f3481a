/** Runs of letters and digits that are alike in both texts count once; those of `text` that `written` lacks are lost. */
export function lostWords(text: readonly string[], written: readonly string[]): string[] {
  const left = tally(written.flatMap(wordsOf));
  const missing = text.flatMap(wordsOf).filter((word) => !take(left, word));
  const rest = new Leftover(left);
  return missing.toSorted((a, b) => b.length - a.length).filter((word) => !rest.take(word));
}

/** Texts as words of letters and digits after NFKC; bullets and punctuation are none. */
export function wordsOf(text: string): string[] {
  return text
    .normalize("NFKC")
    .split(/\s+/u)
    .map((word) => word.replaceAll(/[^\p{L}\p{N}]+/gu, ""))
    .filter((word) => word !== "");
}

/** Code, in which nothing is a mark. */
const CODE = /^(`{3,}|~{3,})[^\n]*\n.*?^\1\s*$|(`+)(?!`).*?(?<!`)\2(?!`)/gmsu;

/** Markdown without its marks: what readers of the rendered text see. */
export function shownText(markdown: string): string {
  const code = markdown.match(CODE) ?? [];
  return [withoutMarks(markdown.replaceAll(CODE, " ")), ...code].join(" ");
}

function withoutMarks(markdown: string): string {
  return markdown
    .replaceAll(/<!--.*?-->/gsu, " ")
    .replaceAll(
      /\]\((?:<[^>\n]*>|(?:\\.|[^\\()\s])*(?:\((?:\\.|[^\\()\s])*\)(?:\\.|[^\\()\s])*)*)(?: "(?:\\.|[^"\\])*")?\)/gu,
      "]",
    )
    .replaceAll(/<br\s*\/?>|<\/?(?:table|thead|tbody|tr|t[dh])(?:\s[^>]*)?>/gu, " ")
    .replaceAll(/<\/?(?:sub|sup|strong|em|a|code|p|ul|ol|li)(?:\s[^>]*)?>/gu, "")
    .replaceAll(/\\([!-/:-@[-`{-~])/gu, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replaceAll("&#124;", "|");
}

function tally(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, word: string): boolean {
  const count = counts.get(word) ?? 0;
  if (count > 0) counts.set(word, count - 1);
  return count > 0;
}

/**
 * Words that were found in no source as they are: hyphens at the ends of lines are joined, and words that stand close
 * are written as one or as two, so that a word is also found in a longer one, or as the end and the beginning of others.
 */
class Leftover {
  #text: string;

  constructor(counts: ReadonlyMap<string, number>) {
    this.#text = [...counts].flatMap(([word, count]) => Array<string>(count).fill(word)).join(" ");
  }

  take(word: string): boolean {
    const at = this.#text.indexOf(word);
    if (at >= 0) return this.#cut(at, word.length);
    return this.#takePieces(word);
  }

  /** A word whose pieces are all there, each as a word or at the edge of one. */
  #takePieces(word: string): boolean {
    for (let split = word.length - 1; split > 0; split--) {
      const at = this.#text.indexOf(word.slice(0, split));
      if (at < 0) continue;
      const before = this.#text;
      this.#cut(at, split);
      if (this.take(word.slice(split))) return true;
      this.#text = before;
      return false;
    }
    return false;
  }

  #cut(at: number, length: number): true {
    this.#text = `${this.#text.slice(0, at)} ${this.#text.slice(at + length)}`;
    return true;
  }
}
