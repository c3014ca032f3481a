import { baseUrlOf } from "../../packages/html/src/selection/base-url.ts";
import { withoutConsent } from "../../packages/html/src/selection/consent.ts";
import { parseHtml } from "../../packages/html/src/parser/parse.ts";
import { tagSet } from "../../packages/html/src/parser/tag-traits.ts";
import { TEXT } from "../../packages/html/src/parser/tree.ts";
import { selectReadable } from "../../packages/html/src/selection/scriptless.ts";
import { type Selection, visitKept } from "../../packages/html/src/selection/selection.ts";
import { selectMainContent } from "../../packages/html/src/main-content/select.ts";
import { toMarkdown } from "../../packages/html/src/markdown/convert.ts";
import { readAgain } from "../../packages/html/src/markdown/fold.ts";
import { isHidden } from "../../packages/html/src/markdown/hidden.ts";
import { lostWords, shownText, wordsOf } from "./lost-words.ts";
import { whyLeftOut, whyTextLeftOut } from "./left-out.ts";

export interface LostInPage {
  readonly words: number;
  readonly notWritten: readonly string[];
  /** Words that are no content, by what they are: numbers of lines, a price that is drawn and said. */
  readonly leftOut: ReadonlyMap<string, number>;
}

interface SeenTexts {
  readonly texts: readonly string[];
  readonly leftOut: ReadonlyMap<string, number>;
}

/** Elements whose text no reader sees: what only shows where something cannot be played, too, and drawings. */
const UNSEEN = tagSet("script style template noscript svg math title head audio video object canvas iframe");
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
  const { texts, leftOut } = seenTexts(selection);
  const words = texts.flatMap(wordsOf).length;
  return { words, leftOut, notWritten: lostWords(texts, [shownText(markdown)]) };
}

function seenTexts(selection: Selection): SeenTexts {
  const { tree } = selection;
  const leftOut = new Map<string, number>();
  const texts: string[] = [];
  let line = "";
  let hiddenUntil = -1;
  const leaveOut = (kind: string, words: string) =>
    leftOut.set(kind, (leftOut.get(kind) ?? 0) + words.split(/\s+/u).flatMap(wordsOf).length);
  visitKept(selection, (node) => {
    if (node < hiddenUntil) return;
    const tag = tree.tag[node] ?? 0;
    if (tag === TEXT) {
      const kind = whyTextLeftOut(tree, node);
      if (kind === undefined) line += tree.text(node);
      else leaveOut(kind, tree.text(node));
      return;
    }
    const kind = whyLeftOut(tree, node);
    if (kind !== undefined) leaveOut(kind, tree.textContent(node));
    const isControl = UNSEEN[tag] === 1 || CONTROLS[tag] === 1 || tree.attribute(node, "role") === "button";
    if (isControl || kind !== undefined || isHidden(tree, node)) hiddenUntil = tree.end[node] ?? node;
    if (INLINE[tag] === 1) return;
    texts.push(readAgain(line));
    line = "";
  });
  return { texts: [...texts, readAgain(line)].flatMap((one) => one.split(/\s+/u)), leftOut };
}
