import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { selectAll } from "@pergamon-dev/html/selection/selection";
import { serializeHtml } from "@pergamon-dev/html/selection/serialize";
import { FRAME_MARK, type Snapshot } from "@pergamon-dev/browser/tab/snapshot";

const MARKED_FRAME = new RegExp(
  `(<iframe\\b[^>]{0,4000}?) ${FRAME_MARK}="(\\d{1,3})"([^>]{0,4000}>[^<]{0,4000}</iframe>)`,
  "g",
);
/** The documents of frames stand beside them. */
const OWN_DOCUMENT = / srcdoc="[^"]*"/;
const FRAMESET = /<frameset\b[\s\S]*<\/frameset>/i;
const BODY_START = /^[\s\S]*?<body[^>]{0,4000}>/i;
const BODY_END = /<\/body>[^<]*<\/html>\s*$/i;

/**
 * HTML of a page with the content of its frames, each after its `iframe` element, with absolute addresses.
 */
export function wholeHtml({ html, frames }: Snapshot): string {
  if (frames.length === 0) return html;
  const shown = (frame: Snapshot | undefined) => (frame ? `<div>${contentOf(frame)}</div>` : "");
  if (FRAMESET.test(html)) return html.replace(FRAMESET, () => `<body>${frames.map(shown).join("")}</body>`);
  return html.replace(MARKED_FRAME, (_match, before: string, number: string, after: string) => {
    const frame = `${before}${after}`.replace(OWN_DOCUMENT, "");
    return frame + shown(frames[Number(number)]);
  });
}

function contentOf(frame: Snapshot): string {
  const content = serializeHtml(selectAll(parseHtml(wholeHtml(frame))), frame.url);
  return content.replace(BODY_START, "").replace(BODY_END, "");
}
