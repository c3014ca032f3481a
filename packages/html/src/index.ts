import { lazy } from "@pergamon-dev/kit/lazy";
import { selectMainContent } from "./main-content/select.ts";
import { toMarkdown } from "./markdown/convert.ts";
import { removeBase64Images } from "./markdown/images.ts";
import { decodeBody } from "./parser/decode.ts";
import { parseHtml } from "./parser/parse.ts";
import { baseUrlOf } from "./selection/base-url.ts";
import { withoutConsent } from "./selection/consent.ts";
import { collectImages } from "./selection/images.ts";
import { collectLinks } from "./selection/links.ts";
import { extractMetadata, type Metadata } from "./selection/metadata.ts";
import { selectReadable } from "./selection/scriptless.ts";
import { isEmpty, type Selection } from "./selection/selection.ts";
import { serializeHtml } from "./selection/serialize.ts";
import { applyExcludeTags, applyIncludeTags } from "./selection/tags.ts";

export interface HtmlOptions {
  /**
   * Absolute URL of the page, which relative URLs resolve against. Default: none. Relative links are then
   * plain text in the Markdown and missing from `links` and `images`.
   */
  readonly url?: string;
  /** Content type sent with the page. Its charset decides how bytes are decoded. Ignored for strings. */
  readonly contentType?: string;
  /** Drops menus, headers, footers, advertisements and the like. Default: true. */
  readonly onlyMainContent?: boolean;
  /**
   * CSS selectors of the only elements to use; `onlyMainContent` does not narrow these. A selector that is
   * invalid, longer than 500 characters or too much work matches nothing. Default: none.
   */
  readonly includeTags?: readonly string[];
  /** CSS selectors of elements to drop, with the same limits. Default: none. */
  readonly excludeTags?: readonly string[];
  /** Keeps base64 images in the Markdown. Otherwise a short text replaces them. Default: false. */
  readonly keepsBase64Images?: boolean;
}

/** A parsed page. Each result is computed on first use, then cached. */
export interface HtmlPage {
  /** The selected part as GitHub-flavoured Markdown; "" when it has no text. */
  markdown(): string;
  /** The selected part as HTML, without scripts and styles, with absolute URLs. */
  html(): string;
  /** Absolute URLs (http, https, mailto) of the selected part's links, in document order, each once. */
  links(): readonly string[];
  /**
   * Absolute URLs (http, https, data, blob) of the selected part's images and of those its head names, each
   * once.
   */
  images(): readonly string[];
  /** Metadata of the head: `title`, `description`, `language`, `ogImage` and every `<meta>` by its name. */
  metadata(): Readonly<Record<string, string | readonly string[]>>;
}

/**
 * Parses a page. Never throws: errors in the HTML are repaired as browsers do.
 * @param html - bytes are decoded by a byte order mark, the content type, `<meta charset>`, or a guess
 */
export function parsePage(html: string | Uint8Array, options: HtmlOptions = {}): HtmlPage {
  const { url = "", contentType, keepsBase64Images = false } = options;
  const tree = parseHtml(typeof html === "string" ? html : decodeBody(html, contentType));
  const baseUrl = baseUrlOf(tree, url);
  const wanted = lazy(() => selectWanted(selectReadable(tree), url, options));
  return {
    markdown: lazy(() => {
      const markdown = toMarkdown(wanted(), baseUrl);
      return keepsBase64Images ? markdown : removeBase64Images(markdown);
    }),
    html: lazy(() => serializeHtml(wanted(), baseUrl)),
    links: lazy(() => collectLinks(wanted(), baseUrl)),
    images: lazy(() => collectImages(wanted(), baseUrl)),
    metadata: lazy((): Metadata => extractMetadata(tree, url)),
  };
}

/** The Markdown of a page: `parsePage(html, options).markdown()`. */
export function htmlToMarkdown(html: string | Uint8Array, options: HtmlOptions = {}): string {
  return parsePage(html, options).markdown();
}

function selectWanted(readable: Selection, url: string, options: HtmlOptions): Selection {
  const { includeTags = [], excludeTags = [], onlyMainContent = true } = options;
  if (includeTags.length > 0) {
    return applyExcludeTags(applyIncludeTags(readable, includeTags), excludeTags);
  }
  const whole = applyExcludeTags(onlyMainContent ? withoutConsent(readable) : readable, excludeTags);
  const main = onlyMainContent ? selectMainContent(whole, url) : whole;
  return isEmpty(main) ? whole : main;
}
