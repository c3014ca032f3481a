import { escapeText } from "@pergamon-dev/documents/model/html-escape";
import { JSON_FEED_TYPE } from "../feeds/feed-type.ts";
import { readJsonFeed, readXmlFeed } from "../feeds/feed.ts";
import { lazy } from "@pergamon-dev/kit/lazy";
import { baseUrlOf } from "@pergamon-dev/html/selection/base-url";
import { extractMetadata } from "@pergamon-dev/html/selection/metadata";
import { decodeBody } from "@pergamon-dev/html/parser/decode";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { type Selection, selectAll } from "@pergamon-dev/html/selection/selection";
import { serializeHtml } from "@pergamon-dev/html/selection/serialize";
import { applyExcludeTags, applyIncludeTags } from "@pergamon-dev/html/selection/tags";
import { toMarkdown } from "@pergamon-dev/html/markdown/convert";
import { removeBase64Images } from "@pergamon-dev/html/markdown/images";
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
