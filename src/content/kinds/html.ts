import { lazy } from "../../kit/lazy.ts";
import { baseUrlOf } from "../html/base-url.ts";
import { withoutConsent } from "../html/consent.ts";
import { extractMetadata } from "../html/metadata.ts";
import { decodeBody } from "../html/parser/decode.ts";
import { parseHtml } from "../html/parser/parse.ts";
import type { HtmlTree } from "../html/parser/tree.ts";
import { selectReadable } from "../html/scriptless.ts";
import { isEmpty, type Selection } from "../html/selection.ts";
import { serializeHtml } from "../html/serialize.ts";
import { applyExcludeTags, applyIncludeTags } from "../html/tags.ts";
import { selectMainContent } from "../main-content/select.ts";
import { toMarkdown } from "../markdown/convert.ts";
import { removeBase64Images } from "../markdown/images.ts";
import { defineKind, type ReadOptions } from "./kind.ts";

export const html = defineKind({
  name: "html",
  recognisedBy: {
    types: ["text/html", "application/xhtml+xml"],
    opening: { pattern: /^<(?:!doctype html|html|head|body|!--|[a-z][a-z0-9]*[\s>])/, type: "text/html" },
    isBinary: false,
  },
  inBrowser: "rendered",
  read({ body, contentType, url, options }, { stage }) {
    const text = stage("decode", () => decodeBody(body, contentType));
    const tree = stage("parse", () => parseHtml(text()));
    const wanted = stage("select", () => selectWanted(tree(), url, options));
    const baseUrl = lazy(() => baseUrlOf(tree(), url));
    return {
      tree,
      wanted,
      baseUrl,
      markdown() {
        const markdown = toMarkdown(wanted(), baseUrl());
        return options.removeBase64Images ? removeBase64Images(markdown) : markdown;
      },
      html: () => serializeHtml(wanted(), baseUrl()),
      rawHtml: text,
      metadata: () => extractMetadata(tree(), url),
    };
  },
});

/** Applies the filters in the order of contract section 3.2. */
function selectWanted(tree: HtmlTree, url: string, options: ReadOptions): Selection {
  const { includeTags, excludeTags, onlyMainContent, removesConsent } = options;
  const readable = selectReadable(tree);
  const whole = removesConsent ? withoutConsent(readable) : readable;
  const included = includeTags.length > 0 ? applyIncludeTags(whole, includeTags) : whole;
  const kept = excludeTags.length > 0 ? applyExcludeTags(included, excludeTags) : included;
  if (!onlyMainContent) return kept;
  const main = selectMainContent(kept, url);
  return isEmpty(main) ? kept : main;
}
