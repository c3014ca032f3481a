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

/** What of a page is wanted, and how. */
export interface HtmlOptions {
  /**
   * Absolute URL of the page, which relative addresses count from. Default: none; relative links are plain text in the
   * Markdown then, and left out of `links` and `images`.
   */
  readonly url?: string;
  /** Content type that the page was sent with; its charset decides how bytes are decoded. Ignored for strings. */
  readonly contentType?: string;
  /** Leaves out menus, headers, footers, advertisements and the like. Default: true. */
  readonly onlyMainContent?: boolean;
  /**
   * CSS selectors of the only elements that count; `onlyMainContent` does not narrow these. A selector that is invalid,
   * longer than 500 characters or too much work matches nothing. Default: none.
   */
  readonly includeTags?: readonly string[];
  /** CSS selectors of elements that are left out, as above. Default: none. */
  readonly excludeTags?: readonly string[];
  /** Keeps pictures that are written as base64 in the Markdown; else a short text takes their place. Default: false. */
  readonly keepsBase64Images?: boolean;
}

/** A page that was parsed once. What is asked of it is computed on first use, then kept. */
export interface HtmlPage {
  /** The wanted part as GitHub-flavoured Markdown; "" when it has no text. */
  markdown(): string;
  /** The wanted part as HTML, without scripts and styles, with absolute addresses. */
  html(): string;
  /** Absolute URLs (http, https, mailto) of the wanted part's links, in document order, each once. */
  links(): readonly string[];
  /** Absolute URLs (http, https, data, blob) of the wanted part's pictures and of those its head names, each once. */
  images(): readonly string[];
  /** What the head says: `title`, `description`, `language`, `ogImage` and every `<meta>` by its name. */
  metadata(): Readonly<Record<string, string | readonly string[]>>;
}

/**
 * Parses a page. No text makes it throw: what is wrong is repaired as browsers do.
 * @param html - bytes are decoded by the content type, a byte order mark, `<meta charset>`, or what they look like
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
