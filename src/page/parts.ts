import type { DetectedFile } from "../content/file-kind.ts";
import { baseUrlOf } from "../content/html/base-url.ts";
import { withoutConsent } from "../content/html/consent.ts";
import { extractMetadata } from "../content/html/metadata.ts";
import { decodeBody } from "../content/html/parser/decode.ts";
import { parseHtml } from "../content/html/parser/parse.ts";
import type { HtmlTree } from "../content/html/parser/tree.ts";
import { selectReadable } from "../content/html/scriptless.ts";
import { isEmpty, type Selection } from "../content/html/selection.ts";
import { serializeHtml } from "../content/html/serialize.ts";
import { applyExcludeTags, applyIncludeTags } from "../content/html/tags.ts";
import { selectMainContent } from "../content/main-content/select.ts";
import { toMarkdown } from "../content/markdown/convert.ts";
import { removeBase64Images } from "../content/markdown/images.ts";
import { isTextKind, textAsMarkdown } from "../content/text-body.ts";
import { lazy } from "../kit/lazy.ts";
import type { Capture } from "../visit/capture.ts";

/** What of a page is wanted, as far as its views depend on it. */
export interface PageOptions {
  readonly onlyMainContent: boolean;
  readonly includeTags: readonly string[];
  readonly excludeTags: readonly string[];
  readonly removeBase64Images: boolean;
  /** Leaves out cookie and consent notices. */
  readonly removesConsent: boolean;
  readonly parsesPdf: boolean;
  readonly imageParsing: "parse" | "base64" | "refuse";
  /** True when the only format asked for takes the body as it is. */
  readonly acceptsAnyFile: boolean;
}

/** What a page is made from. */
export interface PageSource {
  readonly capture: Capture;
  readonly file: DetectedFile;
  readonly options: PageOptions;
}

/** What views are computed from. Each part is computed on first use, then kept. */
export interface PageParts {
  markdown(): string;
  html(): string;
  /** As it came; base64 for files that are handed over undecoded (contract, section 3.5). */
  rawHtml(): string;
  metadata(): Readonly<Record<string, string | readonly string[]>>;
  tree(): HtmlTree;
  /** What of the tree is wanted. */
  wanted(): Selection;
  /** What addresses in the tree are relative to. */
  baseUrl(): string;
}

/** Makes a function that computes a part on first use, keeps it, and takes its time under this name. */
export type Stage = <Value>(name: string, compute: () => Value) => () => Value;

export function readParts({ capture, file, options }: PageSource, stage: Stage): PageParts {
  const isHtml = file.kind === "html";
  const text = stage("decode", () => decodeBody(capture.body, capture.contentType));
  const base64 = lazy(() => Buffer.from(capture.body).toString("base64"));
  const tree = stage("parse", () => parseHtml(isHtml ? text() : ""));
  const baseUrl = lazy(() => baseUrlOf(tree(), capture.url));
  const wanted = stage("select", () => selectWanted(tree(), capture.url, options));
  const plainBody = () => (isHtml || isTextKind(file.kind) ? text() : base64());
  const pageMarkdown = () => {
    const markdown = toMarkdown(wanted(), baseUrl());
    return options.removeBase64Images ? removeBase64Images(markdown) : markdown;
  };
  return {
    tree,
    wanted,
    baseUrl,
    rawHtml: plainBody,
    markdown: lazy(() => {
      if (isTextKind(file.kind)) return textAsMarkdown(text(), file.kind, file.mimeType);
      return isHtml ? pageMarkdown() : base64();
    }),
    html: lazy(() => (isHtml ? serializeHtml(wanted(), baseUrl()) : plainBody())),
    metadata: lazy(() => (isHtml ? extractMetadata(tree(), capture.url) : {})),
  };
}

/** Applies the filters in the order of contract section 3.2. */
function selectWanted(tree: HtmlTree, url: string, options: PageOptions): Selection {
  const { includeTags, excludeTags, onlyMainContent, removesConsent } = options;
  const readable = selectReadable(tree);
  const whole = removesConsent ? withoutConsent(readable) : readable;
  const included = includeTags.length > 0 ? applyIncludeTags(whole, includeTags) : whole;
  const kept = excludeTags.length > 0 ? applyExcludeTags(included, excludeTags) : included;
  if (!onlyMainContent) return kept;
  const main = selectMainContent(kept, url);
  return isEmpty(main) ? kept : main;
}
