import { escapeText } from "../documents/model/html-escape.ts";
import { JSON_FEED_TYPE } from "../feeds/feed-type.ts";
import { readJsonFeed, readXmlFeed } from "../feeds/feed.ts";
import { lazy } from "../kit/lazy.ts";
import { baseUrlOf } from "../page-content/html/base-url.ts";
import { extractMetadata } from "../page-content/html/metadata.ts";
import { decodeBody } from "../page-content/html/parser/decode.ts";
import { parseHtml } from "../page-content/html/parser/parse.ts";
import { type Selection, selectAll } from "../page-content/html/selection.ts";
import { serializeHtml } from "../page-content/html/serialize.ts";
import { applyExcludeTags, applyIncludeTags } from "../page-content/html/tags.ts";
import { toMarkdown } from "../page-content/markdown/convert.ts";
import { removeBase64Images } from "../page-content/markdown/images.ts";
import { feedHtml } from "./feed-html.ts";
import type { FileParts, FileSource, ReadOptions, ReadTools } from "./kind.ts";
import { codeBlock } from "./text.ts";

/** Reads the items of a feed as a page; a file that only claims to be one is a block of code. */
export function readFeed(
  { body, contentType, mimeType, url, options }: FileSource,
  { stage }: ReadTools,
): Partial<FileParts> {
  const text = stage("decode", () => decodeBody(body, contentType));
  const language = mimeType === JSON_FEED_TYPE ? "json" : "xml";
  const found = lazy(() => (language === "json" ? readJsonFeed(text()) : readXmlFeed(text())));
  const tree = stage("parse", () => {
    const read = found();
    return parseHtml(read ? feedHtml(read, url) : `<pre>${escapeText(text())}</pre>`);
  });
  const wanted = lazy(() => selectWanted(selectAll(tree()), options));
  const baseUrl = lazy(() => baseUrlOf(tree(), url));
  return {
    tree,
    wanted,
    baseUrl,
    markdown() {
      if (!found()) return codeBlock(text(), language);
      const markdown = toMarkdown(wanted(), baseUrl());
      return options.removeBase64Images ? removeBase64Images(markdown) : markdown;
    },
    html: () => serializeHtml(wanted(), baseUrl()),
    rawHtml: text,
    metadata: () => extractMetadata(tree(), url),
  };
}

/** A feed is main content as a whole. */
function selectWanted(whole: Selection, { includeTags, excludeTags }: ReadOptions): Selection {
  return applyExcludeTags(applyIncludeTags(whole, includeTags), excludeTags);
}
