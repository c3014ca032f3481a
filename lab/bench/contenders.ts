import { baseUrlOf } from "../../packages/html/src/selection/base-url.ts";
import { parseHtml } from "../../packages/html/src/parser/parse.ts";
import { selectReadable } from "../../packages/html/src/selection/scriptless.ts";
import { TEXT } from "../../packages/html/src/parser/tree.ts";
import { selectMainContent } from "../../packages/html/src/main-content/select.ts";
import { toMarkdown } from "../../packages/html/src/markdown/convert.ts";
import { removeBase64Images } from "../../packages/html/src/markdown/images.ts";

/** One page as a contender gets it. */
export interface BenchPage {
  readonly html: string;
  readonly url: string;
}

/** The floor: the parser alone. */
export function parse({ html }: BenchPage): string {
  if (parseHtml(html).size === 0) throw new Error("Nothing was parsed.");
  return "";
}

/** The floor of those who use what they parse: every text and attribute is read once. */
export function parseAndRead({ html }: BenchPage): string {
  const tree = parseHtml(html);
  let length = 0;
  for (let node = 0; node < tree.size; node++) {
    length += tree.tag[node] === TEXT ? tree.text(node).length : tree.attributes(node).length;
  }
  return length < 0 ? "never" : "";
}

/** What the service does with a page that it answers as Markdown. */
export function pergamon({ html, url }: BenchPage): string {
  const tree = parseHtml(html);
  const content = selectMainContent(selectReadable(tree), url);
  return removeBase64Images(toMarkdown(content, baseUrlOf(tree, url)));
}
