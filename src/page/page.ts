import { decodeBody } from "../content/html/parser/decode.ts";
import { collectAttributes } from "../content/html/attributes.ts";
import { baseUrlOf } from "../content/html/base-url.ts";
import { withoutConsent } from "../content/html/consent.ts";
import { collectImages } from "../content/html/images.ts";
import { collectLinks } from "../content/html/links.ts";
import { selectMainContent } from "../content/main-content/select.ts";
import { extractMetadata } from "../content/html/metadata.ts";
import { parseHtml } from "../content/html/parser/parse.ts";
import { isEmpty, type Selection } from "../content/html/selection.ts";
import { selectReadable } from "../content/html/scriptless.ts";
import { serializeHtml } from "../content/html/serialize.ts";
import { applyExcludeTags, applyIncludeTags } from "../content/html/tags.ts";
import { toMarkdown } from "../content/markdown/convert.ts";
import { removeBase64Images } from "../content/markdown/images.ts";
import { isTextKind, textAsMarkdown } from "../content/text-body.ts";
import type { DetectedFile } from "../content/file-kind.ts";
import type { AttributeValues } from "../contract/answer.ts";
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

/** A capture and the views of it that formats share. A view is computed on first use, then kept. */
export interface Page {
  readonly capture: Capture;
  markdown(): Promise<string>;
  html(): Promise<string>;
  rawHtml(): Promise<string>;
  links(): Promise<readonly string[]>;
  images(): Promise<readonly string[]>;
  metadata(): Promise<PageMetadata>;
  attributes(wanted: readonly WantedAttribute[]): Promise<readonly AttributeValues[]>;
}

/** What the page's head says about it (contract, section 2.3, layer 1). */
export type PageMetadata = Readonly<Record<string, string | readonly string[]>>;

export interface WantedAttribute {
  readonly selector: string;
  readonly attribute: string;
}

/** What a page is made from. */
export interface PageSource {
  readonly capture: Capture;
  readonly file: DetectedFile;
  readonly options: PageOptions;
}

/** Time spent on computing a view, without the views it is built from when those were computed before. */
type Stopwatch = (view: string, durationMs: number) => void;

/** A page whose views are computed here and now. */
export class LocalPage implements Page {
  readonly #source: PageSource;
  readonly #stopwatch: Stopwatch;

  constructor(source: PageSource, stopwatch: Stopwatch = () => {}) {
    this.#source = source;
    this.#stopwatch = stopwatch;
  }

  get capture(): Capture {
    return this.#source.capture;
  }

  readonly #base64 = lazy(() => Buffer.from(this.capture.body).toString("base64"));
  readonly #text = this.#view("decode", () => decodeBody(this.capture.body, this.capture.contentType));
  readonly #tree = this.#view("parse", () => parseHtml(this.#isHtml ? this.#text() : ""));
  readonly #baseUrl = lazy(() => baseUrlOf(this.#tree(), this.capture.url));
  readonly #filtered = this.#view("select", () => this.#select());
  readonly #markdown = this.#view("markdown", () => this.#computeMarkdown());
  readonly #html = this.#view("html", () =>
    this.#isHtml ? serializeHtml(this.#filtered(), this.#baseUrl()) : this.#plainBody(),
  );
  readonly #links = this.#view("links", () => collectLinks(this.#filtered(), this.#baseUrl()));
  readonly #images = this.#view("images", () => collectImages(this.#filtered(), this.#baseUrl()));
  readonly #metadata = this.#view("metadata", () =>
    this.#isHtml ? extractMetadata(this.#tree(), this.capture.url) : {},
  );

  async markdown(): Promise<string> {
    return this.#markdown();
  }

  async html(): Promise<string> {
    return this.#html();
  }

  async rawHtml(): Promise<string> {
    return this.#plainBody();
  }

  async links(): Promise<readonly string[]> {
    return this.#links();
  }

  async images(): Promise<readonly string[]> {
    return this.#images();
  }

  async metadata(): Promise<PageMetadata> {
    return this.#metadata();
  }

  async attributes(wanted: readonly WantedAttribute[]): Promise<readonly AttributeValues[]> {
    return collectAttributes(this.#tree(), wanted);
  }

  get #isHtml(): boolean {
    return this.#source.file.kind === "html";
  }

  /** The text of the body; files that are handed over undecoded are base64 (contract, section 3.5). */
  #plainBody(): string {
    const { kind } = this.#source.file;
    return this.#isHtml || isTextKind(kind) ? this.#text() : this.#base64();
  }

  #computeMarkdown(): string {
    const { file, options } = this.#source;
    if (isTextKind(file.kind)) return textAsMarkdown(this.#text(), file.kind, file.mimeType);
    if (!this.#isHtml) return this.#base64();
    const markdown = toMarkdown(this.#filtered(), this.#baseUrl());
    return options.removeBase64Images ? removeBase64Images(markdown) : markdown;
  }

  /** Applies the filters in the order of contract section 3.2. */
  #select(): Selection {
    const { includeTags, excludeTags, onlyMainContent } = this.#source.options;
    const included = includeTags.length > 0 ? applyIncludeTags(this.#whole(), includeTags) : this.#whole();
    const kept = excludeTags.length > 0 ? applyExcludeTags(included, excludeTags) : included;
    if (!onlyMainContent) return kept;
    const main = selectMainContent(kept, this.capture.url);
    return isEmpty(main) ? kept : main;
  }

  readonly #whole = lazy(() => {
    const whole = selectReadable(this.#tree());
    return this.#source.options.removesConsent ? withoutConsent(whole) : whole;
  });

  #view<T>(name: string, compute: () => T): () => T {
    return lazy(() => {
      const startMs = performance.now();
      const value = compute();
      this.#stopwatch(name, performance.now() - startMs);
      return value;
    });
  }
}
