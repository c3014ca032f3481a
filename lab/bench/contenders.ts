import { baseUrlOf } from "../../src/page-content/html/base-url.ts";
import { parseHtml } from "../../src/page-content/html/parser/parse.ts";
import { selectReadable } from "../../src/page-content/html/scriptless.ts";
import { TEXT } from "../../src/page-content/html/parser/tree.ts";
import { selectMainContent } from "../../src/page-content/main-content/select.ts";
import { toMarkdown } from "../../src/page-content/markdown/convert.ts";
import { removeBase64Images } from "../../src/page-content/markdown/images.ts";

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
