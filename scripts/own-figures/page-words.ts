import { baseUrlOf } from "../../src/page-content/html/base-url.ts";
import { withoutConsent } from "../../src/page-content/html/consent.ts";
import { parseHtml } from "../../src/page-content/html/parser/parse.ts";
import { tagSet } from "../../src/page-content/html/parser/tag-traits.ts";
import { TEXT } from "../../src/page-content/html/parser/tree.ts";
import { selectReadable } from "../../src/page-content/html/scriptless.ts";
import { type Selection, visitKept } from "../../src/page-content/html/selection.ts";
import { selectMainContent } from "../../src/page-content/main-content/select.ts";
import { toMarkdown } from "../../src/page-content/markdown/convert.ts";
import { isHidden } from "../../src/page-content/markdown/hidden.ts";
import { lostWords, shownText, wordsOf } from "./lost-words.ts";

export interface LostInPage {
  readonly words: number;
  readonly notWritten: readonly string[];
}

/** Elements whose text no reader sees: what only shows where something cannot be played, too, and drawings. */
const UNSEEN = tagSet("script style template noscript svg math title head audio video object canvas");
/** Elements that people act on. Their labels are not content. */
const CONTROLS = tagSet("button select textarea datalist");
/** Elements that stand between words. */
const INLINE = tagSet(
  "a abbr b bdi bdo cite code del dfn em font i ins kbd label mark q s samp small span strong sub sup u var wbr",
);

/** Words of the selected main content that its Markdown lacks. */
export function lostInPage(source: string, url: string): LostInPage {
  const tree = parseHtml(source);
  const selection = selectMainContent(withoutConsent(selectReadable(tree)), url);
  const markdown = toMarkdown(selection, baseUrlOf(tree, url));
  const seen = seenTexts(selection);
  return { words: seen.flatMap(wordsOf).length, notWritten: lostWords(seen, [shownText(markdown)]) };
}

function seenTexts(selection: Selection): string[] {
  const { tree } = selection;
  let text = "";
  let hiddenUntil = -1;
  visitKept(selection, (node) => {
    if (node < hiddenUntil) return;
    const tag = tree.tag[node] ?? 0;
    if (tag === TEXT) text += tree.text(node);
    else {
      if (
        UNSEEN[tag] === 1 ||
        CONTROLS[tag] === 1 ||
        tree.attribute(node, "role") === "button" ||
        isHidden(tree, node)
      )
        hiddenUntil = tree.end[node] ?? node;
      if (INLINE[tag] !== 1) text += " ";
    }
  });
  return text.split(/\s+/u);
}
