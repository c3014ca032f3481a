import { lazy } from "@pergamon-dev/kit/lazy";
import { escapeText } from "@pergamon-dev/documents/model/html-escape";
import { baseUrlOf } from "@pergamon-dev/html/selection/base-url";
import { withoutConsent } from "@pergamon-dev/html/selection/consent";
import { extractMetadata, type Metadata } from "@pergamon-dev/html/selection/metadata";
import { decodeBody } from "@pergamon-dev/html/parser/decode";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { selectReadable } from "@pergamon-dev/html/selection/scriptless";
import {
  isEmpty,
  selectAll,
  type Selection,
  showsSame,
  withAlso,
} from "@pergamon-dev/html/selection/selection";
import { serializeHtml } from "@pergamon-dev/html/selection/serialize";
import { applyExcludeTags, applyIncludeTags } from "@pergamon-dev/html/selection/tags";
import { selectMainContent } from "@pergamon-dev/html/main-content/select";
import { toMarkdown } from "@pergamon-dev/html/markdown/convert";
import { removeBase64Images } from "@pergamon-dev/html/markdown/images";
import { findPricePlaces } from "@pergamon-dev/facts/product/price-place";
import { type Evidence, gatherEvidence } from "@pergamon-dev/facts/structured/evidence";
import type { FileParts, FileSource, ReadOptions, ReadTools } from "./kind.ts";

/** Reads a page. It is parsed once, and the request selects parts of the tree. */
export function readHtml(
  { body, contentType, url, options, linkedRules = "" }: FileSource,
  { stage }: ReadTools,
): Partial<FileParts> {
  const text = stage("decode", () => decodeBody(body, contentType));
  const mayHaveNul = Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(0);
  const tree = stage("parse", () => Object.assign(parseHtml(text(), mayHaveNul), { linkedRules }));
  const metadata = lazy(() => extractMetadata(tree(), url));
  const evidence = lazy(() => gatherEvidence({ tree: tree(), source: text, metadata }));
  const wanted = stage("select", () => selectWanted(evidence(), url, options));
  const baseUrl = lazy(() => baseUrlOf(tree(), url));
  const markdownOf = (selection: Selection) => {
    const markdown = toMarkdown(selection, baseUrl());
    return options.removeBase64Images ? removeBase64Images(markdown) : markdown;
  };
  const isMain = options.onlyMainContent || options.includeTags.length > 0;
  return {
    tree,
    wanted,
    baseUrl,
    markdown: () => markdownOf(wanted()) || headMarkdown(metadata(), options),
    ...(!isMain && {
      subject: () => markdownOf(selectWanted(evidence(), url, { ...options, onlyMainContent: true })),
    }),
    html: () => serializeHtml(wanted(), baseUrl()),
    rawHtml: text,
    metadata,
    evidence,
  };
}

/** Title and description of a page without visible text, such as one that scripts build. */
function headMarkdown(metadata: Metadata, { includeTags, excludeTags }: ReadOptions): string {
  if (includeTags.length > 0 || excludeTags.length > 0) return "";
  const [title, description] = [metadata["title"], metadata["description"]].map((value) =>
    typeof value === "string" ? escapeText(value) : "",
  );
  return toMarkdown(selectAll(parseHtml(`<h1>${title}</h1><p>${description}</p>`)), "");
}

/**
 * Applies the filters in the order of contract section 3.2. Elements that `includeTags` names are complete.
 */
function selectWanted(evidence: Evidence, url: string, options: ReadOptions): Selection {
  const { includeTags, excludeTags, onlyMainContent, removesConsent } = options;
  const readable = selectReadable(evidence.tree);
  const isNamed = includeTags.length > 0;
  const whole = isNamed
    ? applyIncludeTags(readable, includeTags)
    : removesConsent
      ? withoutConsent(readable)
      : readable;
  const kept = applyExcludeTags(whole, excludeTags);
  if (isNamed || !onlyMainContent) return kept;
  const main = selectMainContent(kept, url);
  if (isEmpty(main)) return kept;
  return withAlso(
    main,
    kept,
    findPricePlaces(evidence, url, (node) => showsSame(main, kept, node)),
  );
}
