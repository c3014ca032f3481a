import { decodeHTMLAttribute } from "entities";

/** Evidence in server-sent HTML about how much of the page it contains. Text is counted in characters. */
export interface StaticEvidence {
  /**
   * Text outside navigation, headers, footers, scripts and hidden parts. Counting stops at `PLENTY_OF_TEXT`.
   */
  readonly mainText: number;
  /** Number of list items, table rows and articles. */
  readonly items: number;
  /** Number of scripts that run. */
  readonly scripts: number;
  /** Beginning of the inline scripts. */
  readonly inlineScript: string;
  /** Number of nearly empty elements that applications mount into. */
  readonly emptyRoots: number;
  /** Number of custom elements without text. */
  readonly emptyCustomElements: number;
  /** Number of skeletons, spinners and loading texts. */
  readonly loadingMarkers: number;
  /** Text for browsers without scripts. */
  readonly noscriptText: string;
  readonly hasPasswordField: boolean;
  /** Target of a redirect that the page performs by itself within a few seconds. */
  readonly refreshUrl: string | undefined;
}

/** Characters of main text at which reading stops. */
export const PLENTY_OF_TEXT = 2000;

const KEPT_SCRIPT = 40_000;
const KEPT_NOSCRIPT = 2_000;
const READ_ATTRIBUTES = 2_000;
const WATCHED_ELEMENTS = 20;
const ROOT_TEXT = 40;
const MARKER_TEXT = 60;
const REFRESH_SECONDS = 5;

/** Elements whose content is not text of the page. Each ends at its own end tag, with any text between. */
const OPAQUE = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "iframe",
  "title",
  "textarea",
  "object",
]);
const FRAME = new Set(["nav", "header", "footer", "aside", "select"]);
const ITEM = new Set(["li", "tr", "article", "dd"]);
const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

const LOADING_WORDS =
  /^(?:loading|please wait|wird geladen|bitte warten|chargement(?: en cours)?|cargando|caricamento(?: in corso)?|carregando|загрузка|加载中|読み込み中)\s*(?:\.{3}|…)?$/i;
const SCRIPT_TYPE = /\btype\s*=\s*["']?([^"'\s>]*)/i;
const RUNS = /^$|^module$|javascript|ecmascript/i;
const REFRESH = /http-equiv\s*=\s*["']?refresh/i;
const REFRESH_TARGET = /content\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
const REFRESH_VALUE = /^\s*(\d{1,4}(?:\.\d*)?)\s*[;,]\s*(?:url\s*=\s*)?['"]?([^'"]+)/i;

/**
 * Reads the page once, from left to right, without building a tree. Long pages are read only as far as
 * needed.
 */
export function collectStaticEvidence(html: string): StaticEvidence {
  const reader = new EvidenceReader(html);
  return reader.read();
}

/** An element whose text is counted. Nested elements of the same name are counted to find its end. */
interface Watched {
  readonly name: string;
  readonly kind: TellingKind;
  readonly textBefore: number;
  depth: number;
}

class EvidenceReader {
  readonly #html: string;
  readonly #watched: Watched[] = [];
  #at = 0;
  #frames = 0;
  #hidden = 0;
  #text = 0;
  #mainText = 0;
  #items = 0;
  #scripts = 0;
  #inlineScript = "";
  #noscriptText = "";
  #emptyRoots = 0;
  #emptyCustomElements = 0;
  #loadingMarkers = 0;
  #hasPasswordField = false;
  #refreshUrl: string | undefined;

  constructor(html: string) {
    this.#html = html;
  }

  read(): StaticEvidence {
    while (this.#at < this.#html.length && this.#mainText < PLENTY_OF_TEXT) this.#readOn();
    for (const watched of this.#watched) this.#finish(watched);
    return {
      mainText: this.#mainText,
      items: this.#items,
      scripts: this.#scripts,
      inlineScript: this.#inlineScript,
      emptyRoots: this.#emptyRoots,
      emptyCustomElements: this.#emptyCustomElements,
      loadingMarkers: this.#loadingMarkers,
      noscriptText: this.#noscriptText,
      hasPasswordField: this.#hasPasswordField,
      refreshUrl: this.#refreshUrl,
    };
  }

  /** Reads the text up to the next tag, and that tag. */
  #readOn(): void {
    const html = this.#html;
    const open = html.indexOf("<", this.#at);
    const textEnd = open < 0 ? html.length : open;
    if (textEnd > this.#at) this.#addText(html.slice(this.#at, textEnd).trim());
    this.#at = textEnd;
    if (open < 0) return;
    if (html.startsWith("<!--", open)) return this.#skipTo("-->", open + 4);
    const isEnd = html[open + 1] === "/";
    const nameStart = open + (isEnd ? 2 : 1);
    const nameEnd = endOfName(html, nameStart);
    if (nameEnd === nameStart) return void (this.#at = open + 1);
    const name = html.slice(nameStart, nameEnd).toLowerCase();
    this.#at = endOfTag(html, nameEnd);
    if (isEnd) this.#leave(name);
    else this.#enter(name, html.slice(nameEnd, Math.min(this.#at, nameEnd + READ_ATTRIBUTES)));
  }

  #addText(text: string): void {
    if (text === "") return;
    if (LOADING_WORDS.test(text)) this.#loadingMarkers += 1;
    else if (this.#hidden === 0) {
      this.#text += text.length;
      if (this.#frames === 0) this.#mainText += text.length;
    }
  }

  #enter(name: string, attributes: string): void {
    if (OPAQUE.has(name)) return this.#skipOpaque(name, attributes);
    if (name === "meta") return this.#readMeta(attributes);
    if (name === "input") this.#hasPasswordField ||= /\btype\s*=\s*["']?password/i.test(attributes);
    if (VOID.has(name)) return;
    if (FRAME.has(name)) this.#frames += 1;
    if (ITEM.has(name)) this.#items += 1;
    for (const watched of this.#watched) if (watched.name === name) watched.depth += 1;
    const kind = this.#watched.length < WATCHED_ELEMENTS ? tellingKind(name, attributes) : undefined;
    if (kind === undefined) return;
    if (kind === "hidden") this.#hidden += 1;
    this.#watched.push({ name, kind, textBefore: this.#text, depth: 1 });
  }

  #leave(name: string): void {
    if (FRAME.has(name)) this.#frames = Math.max(0, this.#frames - 1);
    for (let index = this.#watched.length - 1; index >= 0; index -= 1) {
      const watched = this.#watched[index];
      if (watched?.name !== name) continue;
      watched.depth -= 1;
      if (watched.depth > 0) continue;
      this.#watched.splice(index, 1);
      this.#finish(watched);
    }
  }

  #finish({ kind, textBefore }: Watched): void {
    const own = this.#text - textBefore;
    if (kind === "hidden") this.#hidden -= 1;
    if (kind === "root" && own < ROOT_TEXT) this.#emptyRoots += 1;
    if (kind === "loading" && own < MARKER_TEXT) this.#loadingMarkers += 1;
    if (kind === "custom" && own === 0) this.#emptyCustomElements += 1;
  }

  #skipOpaque(name: string, attributes: string): void {
    const start = this.#at;
    const end = endOfOpaque(this.#html, name, start);
    this.#at = end;
    if (name === "noscript" && this.#noscriptText.length < KEPT_NOSCRIPT) {
      this.#noscriptText += this.#html.slice(start, Math.min(end, start + KEPT_NOSCRIPT));
    }
    if (name !== "script" || !RUNS.test(SCRIPT_TYPE.exec(attributes)?.[1] ?? "")) return;
    this.#scripts += 1;
    const room = KEPT_SCRIPT - this.#inlineScript.length;
    if (room > 0) this.#inlineScript += this.#html.slice(start, Math.min(end, start + room));
  }

  #readMeta(attributes: string): void {
    if (!REFRESH.test(attributes)) return;
    const content = REFRESH_TARGET.exec(attributes);
    this.#refreshUrl ??= readRefresh(decodeHTMLAttribute(content?.[1] ?? content?.[2] ?? ""));
  }

  #skipTo(end: string, from: number): void {
    const found = this.#html.indexOf(end, from);
    this.#at = found < 0 ? this.#html.length : found + end.length;
  }
}

/**
 * The target of a `refresh` in a page or its headers that happens soon, as written; undefined when it leads
 * nowhere else.
 */
export function readRefresh(value: string): string | undefined {
  const [, seconds, url] = REFRESH_VALUE.exec(value) ?? [];
  return Number(seconds) <= REFRESH_SECONDS ? url?.trim() : undefined;
}

/**
 * What an element says about its page, if its text confirms it: an application mounts there, the page loads,
 * …
 */
type TellingKind = "root" | "loading" | "custom" | "hidden";

/** Matches when any of the patterns below might, at the cost of one search. */
const INTERESTING =
  /root|app|next|nuxt|gatsby|layout|svelte|mount|elm|ember|react|ng-|load|spinner|skeleton|shimmer|placeholder-glow|busy|progressbar|hidden|display/i;
const ROOT =
  /\bid\s*=\s*["']?(?:root|app|__next|__nuxt|___gatsby|__layout|_nuxt|svelte|q-app|application|main-app|react-root|app-root|mount|elm|ember-app)["'\s>]|\b(?:data-reactroot|data-v-app|ng-app|ng-version)\b/i;
const LOADING =
  /\b(?:class|id)\s*=\s*(?:"[^"]*|'[^']*|)(?<![a-z])(?:skeleton|spinner|loading|loader|shimmer|placeholder-glow)(?![a-z])|aria-busy\s*=\s*["']?true|role\s*=\s*["']?progressbar/i;
const HIDDEN = /(?:^|\s)hidden(?=[\s=>/]|$)|display\s*:\s*none/i;

/** What an element with this name and these attributes may say; undefined for most elements. */
function tellingKind(name: string, attributes: string): TellingKind | undefined {
  if (name.includes("-") && attributes.length <= 1) return "custom";
  if (attributes.length <= 1) return undefined;
  if (!INTERESTING.test(attributes)) return name.includes("-") ? "custom" : undefined;
  if (ROOT.test(attributes)) return "root";
  if (LOADING.test(attributes)) return "loading";
  if (HIDDEN.test(attributes)) return "hidden";
  return name.includes("-") ? "custom" : undefined;
}

/** The offset after the name of a tag that starts at `from`. */
function endOfName(html: string, from: number): number {
  let at = from;
  while (at < html.length && isNameCharacter(html.charCodeAt(at))) at += 1;
  return at;
}

/** Letters, digits, hyphen and colon, which all relevant names consist of. */
function isNameCharacter(code: number): boolean {
  const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
  return isLetter || (code >= 48 && code <= 58) || code === 45;
}

/** The offset after the tag's `>`. A `>` inside quotes does not count. */
function endOfTag(html: string, from: number): number {
  for (let at = from; at < html.length; at += 1) {
    const character = html[at];
    if (character === ">") return at + 1;
    if (character !== '"' && character !== "'") continue;
    const close = html.indexOf(character, at + 1);
    if (close < 0) return html.length;
    at = close;
  }
  return html.length;
}

/** The offset of the end tag, which is read next. */
function endOfOpaque(html: string, name: string, from: number): number {
  const plain = html.indexOf(`</${name}`, from);
  if (plain >= 0) return plain;
  const upper = html.indexOf(`</${name.toUpperCase()}`, from);
  return upper >= 0 ? upper : html.length;
}
