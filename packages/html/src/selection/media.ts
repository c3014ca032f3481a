import { selectCss } from "./select-css.ts";
import type { HtmlTree } from "../parser/tree.ts";
import { UrlBase } from "./url-base.ts";

/** A place where pages declare media, and what it declares. */
interface Source {
  readonly selector: string;
  readonly attribute: string;
  readonly type: MediaAddress["type"];
}

interface MediaAddress {
  readonly url: string;
  /** `any` when the page does not say. */
  readonly type: "audio" | "video" | "any";
}

/** Most reliable first. */
const SOURCES: readonly Source[] = [
  { selector: "video[src]", attribute: "src", type: "video" },
  { selector: "video source[src]", attribute: "src", type: "video" },
  { selector: "audio[src]", attribute: "src", type: "audio" },
  { selector: "audio source[src]", attribute: "src", type: "audio" },
  { selector: 'meta[property="og:video:secure_url"]', attribute: "content", type: "video" },
  { selector: 'meta[property="og:video:url"]', attribute: "content", type: "video" },
  { selector: 'meta[property="og:video"]', attribute: "content", type: "video" },
  { selector: 'meta[property="og:audio:secure_url"]', attribute: "content", type: "audio" },
  { selector: 'meta[property="og:audio"]', attribute: "content", type: "audio" },
  { selector: 'meta[name="twitter:player:stream"]', attribute: "content", type: "any" },
  { selector: 'link[rel="enclosure"]', attribute: "href", type: "any" },
  { selector: "a[href][download]", attribute: "href", type: "any" },
];

const AUDIO_NAME = /\.(?:mp3|m4a|aac|oga|ogg|opus|flac|wav)$/i;
const VIDEO_NAME = /\.(?:mp4|m4v|webm|ogv|mov|ts|mkv)$/i;
const STREAM_NAME = /\.(?:m3u8|mpd)$/i;

/** Matches JSON-LD and the state of players. */
const CONTENT_URL = /"contentUrl"\s*:\s*"(https?:(?:[^"\\]|\\.){1,2000})"/g;
const MAX_SCRIPT_LENGTH = 1_000_000;

/** Absolute URLs of the media that a page declares, most reliable first, without duplicates. */
export function collectMedia(tree: HtmlTree, baseUrl: string): readonly MediaAddress[] {
  const base = new UrlBase(baseUrl);
  const found = new Map<string, MediaAddress>();
  function add(address: string | undefined, type: MediaAddress["type"]): void {
    const url = address ? base.resolve(address) : undefined;
    if (url === undefined || !/^https?:/i.test(url) || found.has(url)) return;
    const named = typeOfName(url);
    if (type !== "any" || named !== undefined) found.set(url, { url, type: named ?? type });
  }
  for (const { selector, attribute, type } of SOURCES) {
    for (const node of selectCss(tree, selector)) add(tree.attribute(node, attribute), type);
  }
  for (const text of dataTexts(tree)) {
    for (const [, address] of text.matchAll(CONTENT_URL)) add(unescaped(address), "any");
  }
  return [...found.values()];
}

/** Undefined for streams, which can be either. */
function typeOfName(url: string): MediaAddress["type"] | undefined {
  const { pathname } = new URL(url);
  if (AUDIO_NAME.test(pathname)) return "audio";
  if (VIDEO_NAME.test(pathname)) return "video";
  return STREAM_NAME.test(pathname) ? "any" : undefined;
}

function dataTexts(tree: HtmlTree): readonly string[] {
  const scripts = selectCss(tree, 'script[type="application/ld+json"]');
  return scripts.map((node) => tree.textContent(node).slice(0, MAX_SCRIPT_LENGTH));
}

function unescaped(address = ""): string | undefined {
  try {
    return JSON.parse(`"${address}"`) as string;
  } catch {
    return undefined;
  }
}
