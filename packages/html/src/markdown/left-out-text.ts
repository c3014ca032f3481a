import { tagSet } from "../parser/tag-traits.ts";
import { type HtmlTree, TEXT } from "../parser/tree.ts";
import type { Selection } from "../selection/selection.ts";

/**
 * Elements in which scripts keep data as text. Paragraphs, list items and cells show their text to readers.
 */
const HOLDERS = tagSet("#unknown div section span");
const MIN_DATA_CHARS = 100;
/** Data with a greater share of the text is what the page shows. */
const MAX_DATA_SHARE = 0.5;
const DATA_START = /^\s*(?:\{"|\[\{?"|\[\[)/;

const TYPED_BULLET = /^\s*(?:[•·▪●■◦‣►➤]\s*|[–—]\s+)(?=\S)/;

const WINDOW_NOTE =
  /^[\s–—,-]*\(?\s*(?:(?:link )?opens? in (?:a )?new (?:browser )?(?:tab|window)|öffnet (?:sich )?in (?:einem )?neue[mn] (?:tab|fenster)|s['’]ouvre dans une? (?:nouvel onglet|nouvelle fenêtre)|se abre en una (?:pestaña nueva|nueva pestaña|ventana nueva|nueva ventana)|abre em (?:uma )?nova (?:janela|guia|aba))\s*\.?\s*\)?\s*$/i;

/**
 * Whether a text is script data: it fills its element, has a machine format, and is not most of the text
 * around it.
 * @param textLength - length of all kept text; called only when there is such data
 */
export function isScriptData(tree: HtmlTree, node: number, textLength: () => number): boolean {
  const parent = tree.parent[node] ?? 0;
  if (HOLDERS[tree.tag[parent] ?? 0] !== 1 || tree.tag[node] !== TEXT || tree.end[parent] !== node + 1)
    return false;
  const text = tree.text(node);
  if (text.length < MIN_DATA_CHARS || !DATA_START.test(text)) return false;
  const data = text.trim();
  if (data.includes("\n") || !isJson(data)) return false;
  return data.length <= MAX_DATA_SHARE * textLength();
}

/** Characters of all texts of a selection, without surrounding white space. */
export function textLengthOf({ tree, roots, skipped }: Selection): number {
  let length = 0;
  for (const root of roots) {
    const end = tree.end[root] ?? 0;
    for (let node = root; node < end; node++) {
      if (skipped[node] === 1) node = (tree.end[node] ?? end) - 1;
      else if (tree.tag[node] === TEXT) length += tree.text(node).trim().length;
    }
  }
  return length;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether a text only tells screen reader users how a link opens its window. */
export function isWindowNote(text: string): boolean {
  return text.length < 80 && WINDOW_NOTE.test(text);
}

/** Removes a bullet that was typed before the text of a list item. */
export function withoutTypedBullet(text: string): string {
  return text.replace(TYPED_BULLET, "");
}
