import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { selectAll } from "@pergamon-dev/html/selection/selection";
import { serializeHtml } from "@pergamon-dev/html/selection/serialize";
import { FRAME_MARK, type Snapshot } from "@pergamon-dev/browser/tab/snapshot";

const MARKED_FRAME = new RegExp(
  `(<iframe\\b[^>]{0,4000}?) ${FRAME_MARK}="(\\d{1,3})"([^>]{0,4000}>[^<]{0,4000}</iframe>)`,
  "g",
);
const BODY_START = /^[\s\S]*?<body[^>]{0,4000}>/i;
const BODY_END = /<\/body>[^<]*<\/html>\s*$/i;

/**
 * HTML of a page with the content of its frames, each after its `iframe` element, with absolute addresses.
 */
export function wholeHtml({ html, frames }: Snapshot): string {
  if (frames.length === 0) return html;
  return html.replace(MARKED_FRAME, (_match, before: string, number: string, after: string) => {
    const frame = frames[Number(number)];
    return `${before}${after}${frame ? `<div>${contentOf(frame)}</div>` : ""}`;
  });
}

function contentOf(frame: Snapshot): string {
  const content = serializeHtml(selectAll(parseHtml(wholeHtml(frame))), frame.url);
  return content.replace(BODY_START, "").replace(BODY_END, "");
}
