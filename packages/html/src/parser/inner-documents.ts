import { decodeHTMLAttribute } from "entities";

/** Frames of one page, and how deep they may hold each other. */
const MAX_FRAMES = 30;
const MAX_DEPTH = 3;
const MAX_CHARS = 2_000_000;
const FRAME = /<iframe(?=[\s/])/gi;
const SOURCE = /\ssrcdoc\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
/** What the document of a frame has for itself: the rest of it is content of the page. */
const OWN_HEAD = /<(head|title|style|script)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;

/** Puts the documents that frames carry (`srcdoc`) where the frames stand, as every reader of the page sees them. */
export function withInnerDocuments(html: string, depth = 0): string {
  if (depth === MAX_DEPTH || !html.includes("srcdoc")) return html;
  let shown = "";
  let from = 0;
  let count = 0;
  for (const { index } of html.matchAll(FRAME)) {
    if (index < from || count === MAX_FRAMES || shown.length > MAX_CHARS) continue;
    const end = endOfTag(html, index);
    const [, double, single] = SOURCE.exec(html.slice(index, end)) ?? [];
    const source = double ?? single;
    if (source === undefined) continue;
    const inner = withInnerDocuments(decodeHTMLAttribute(source), depth + 1).replace(OWN_HEAD, "");
    shown += `${html.slice(from, index)}<div>${inner}</div>`;
    // The frame itself shows nothing else.
    const close = html.slice(end, end + 10_000).search(/<\/iframe\s*>/i);
    from = close < 0 ? end : html.indexOf(">", end + close) + 1;
    count++;
  }
  return shown + html.slice(from);
}

/** Offset after the tag that begins at `from`. A quoted value may hold `>`. */
function endOfTag(html: string, from: number): number {
  let quote = "";
  for (let at = from; at < html.length; at++) {
    const sign = html.charAt(at);
    if (quote !== "") quote = sign === quote ? "" : quote;
    else if (sign === ">") return at + 1;
    else if (sign === '"' || sign === "'") quote = sign;
  }
  return html.length;
}
