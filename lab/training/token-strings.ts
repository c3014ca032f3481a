import { foldCode } from "../../packages/html/src/main-content/tables/code-class.ts";
import { HashSet } from "../../packages/html/src/main-content/tables/hash-filter.ts";
import { Lexicon } from "../../packages/html/src/main-content/tables/lexicon.ts";
import { NAMING, visitOtherNames } from "../../packages/html/src/main-content/tables/elements.ts";
import type { PageTables } from "../../packages/html/src/main-content/tables/page-tables.ts";
import { TextReader, Texts } from "../../packages/html/src/main-content/tables/texts.ts";
import {
  hashOfToken,
  NO_TEXT,
  type TokenVisitor,
  visitNameTokens,
} from "../../packages/html/src/main-content/tables/tokens.ts";
import { type HtmlTree, TEXT } from "../../packages/html/src/parser/tree.ts";

const PREFIXES = ["", ...NAMING.map(([, prefix]) => prefix)];
const UNKNOWN = new Lexicon([], []);
const NOTHING = new HashSet();

/** The tokens of an element's names, as the lexicon writes them. */
export function nameTokensOf(tree: HtmlTree, node: number): ReadonlySet<string> {
  const tokens = new Set<string>([`<${tree.nameOf(node)}`]);
  const visit = collector(tokens, (hash, text) => {
    const word = text.toLowerCase();
    const prefix = PREFIXES.find((one) => hashOfToken(one + word) === hash);
    return prefix === undefined ? "" : prefix + word;
  });
  visitNameTokens(tree.attribute(node, "class") ?? "", NO_TEXT, visit);
  visitOtherNames(tree, node, visit);
  tokens.delete("<");
  return tokens;
}

/** The tokens of each block's text. */
export function wordTokensOf({ tree, blocks, elements }: PageTables): readonly ReadonlySet<string>[] {
  return Array.from({ length: blocks.size }, (_, block) => {
    const tokens = new Set<string>();
    const words: string[] = [];
    const visit = collector(tokens, (hash, text) => {
      const word = Array.from({ length: text.length }, (__, at) =>
        String.fromCharCode(foldCode(text.charCodeAt(at))),
      ).join("");
      words.push(word);
      return hashOfToken(word) === hash ? word : "";
    });
    const phrases = { title: NOTHING, description: NOTHING, data: NOTHING };
    const reader = new TextReader(new Texts(1), { words: UNKNOWN, phrases, visit });
    reader.begin(0);
    const last = blocks.last[block] ?? 0;
    for (let node = blocks.first[block] ?? 0; node <= last; node++) {
      if (tree.tag[node] === TEXT && elements.out[node] === 0) reader.read(tree, node, false);
    }
    if (words.length <= 4) tokens.add(`=_${words.join("_")}`);
    return tokens;
  });
}

/** Collects what is visited: single tokens by `write`, two in a row joined by an underscore. */
function collector(tokens: Set<string>, write: (hash: number, text: string) => string): TokenVisitor {
  let before = "";
  let last = "";
  return (hash, text, from, to) => {
    if (to >= 0) {
      before = last;
      last = write(hash, text.slice(from, to));
      if (last !== "") tokens.add(last);
    } else if (before !== "" && last !== "" && hashOfToken(`${before}_${last}`) === hash) {
      tokens.add(`${before}_${last}`);
    }
  };
}
