import { lazy } from "../kit/lazy.ts";
import { escapeText } from "../documents/model/html-escape.ts";
import { baseUrlOf } from "../page-content/html/base-url.ts";
import { withoutConsent } from "../page-content/html/consent.ts";
import { extractMetadata, type Metadata } from "../page-content/html/metadata.ts";
import { decodeBody } from "../page-content/html/parser/decode.ts";
import { parseHtml } from "../page-content/html/parser/parse.ts";
import { selectReadable } from "../page-content/html/scriptless.ts";
import { isEmpty, selectAll, type Selection, showsSame, withAlso } from "../page-content/html/selection.ts";
import { serializeHtml } from "../page-content/html/serialize.ts";
import { applyExcludeTags, applyIncludeTags } from "../page-content/html/tags.ts";
import { selectMainContent } from "../page-content/main-content/select.ts";
import { toMarkdown } from "../page-content/markdown/convert.ts";
import { removeBase64Images } from "../page-content/markdown/images.ts";
import { findPricePlaces } from "../facts/product/price-place.ts";
import { type Evidence, gatherEvidence } from "../facts/structured/evidence.ts";
import type { FileParts, FileSource, ReadOptions, ReadTools } from "./kind.ts";

/** Reads a page: parsed once, and of its tree what the request wants. */
export function readHtml(
  { body, contentType, url, options }: FileSource,
  { stage }: ReadTools,
): Partial<FileParts> {
  const text = stage("decode", () => decodeBody(body, contentType));
  const tree = stage("parse", () => parseHtml(text()));
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

/** What the head says of a page that shows no text, such as one that scripts build: its title and description. */
function headMarkdown(metadata: Metadata, { includeTags, excludeTags }: ReadOptions): string {
  if (includeTags.length > 0 || excludeTags.length > 0) return "";
  const [title, description] = [metadata["title"], metadata["description"]].map((value) =>
    typeof value === "string" ? escapeText(value) : "",
  );
  return toMarkdown(selectAll(parseHtml(`<h1>${title}</h1><p>${description}</p>`)), "");
}

/** Applies the filters in the order of contract section 3.2. What `includeTags` names is there whole. */
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
