import type { DocumentPageBlocks } from "../../api/document-blocks.ts";
import type { PdfOptions, ReadDocument } from "@pergamon-dev/documents/model/reader";
import type { HtmlTree } from "@pergamon-dev/html/parser/tree";
import type { Selection } from "@pergamon-dev/html/selection/selection";
import type { DocumentTools } from "./document-tools.ts";
import type { Evidence } from "@pergamon-dev/facts/structured/evidence";
import type { Redaction } from "@pergamon-dev/facts/redaction/span";

/** Options that affect how a file is read. */
export interface ReadOptions {
  readonly onlyMainContent: boolean;
  readonly includeTags: readonly string[];
  readonly excludeTags: readonly string[];
  readonly removeBase64Images: boolean;
  /** Removes boilerplate lines that remain in the Markdown. */
  readonly onlyCleanContent?: boolean;
  /** Numbers of the lines to leave out, from 0, when the request chose them. */
  readonly leftOutLines?: readonly number[];
  /** Removes cookie and consent notices. */
  readonly removesConsent: boolean;
  /** Kinds of files to convert to Markdown, besides pages and text (contract, section 1.3). */
  readonly parsers: readonly ParserOptions[];
  /** Locale tags of the likely languages of the file. */
  readonly languages: readonly string[];
  /** How personal data is removed from the Markdown. Undefined: it stays. */
  readonly redaction?: Redaction;
}

/** Parser options of a kind of file. Those for PDF are missing for other kinds. */
interface ParserOptions {
  readonly type: string;
  readonly mode?: PdfOptions["mode"];
  readonly maxPages?: number | undefined;
  readonly pages?: boolean | undefined;
  /** Another name of `pages`, which wins. */
  readonly pageMarkdown?: boolean | undefined;
  readonly blocks?: boolean | undefined;
  readonly pageMarkers?: boolean | undefined;
}

/** A file as received. */
export interface FileSource {
  readonly body: Uint8Array;
  /** The content-type header with its parameters. */
  readonly contentType: string | undefined;
  readonly url: string;
  /** Detected type, without parameters. */
  readonly mimeType: string;
  readonly linkedRules?: string | undefined;
  readonly options: ReadOptions;
}

export interface ReadTools {
  /**
   * Returns a function that computes its value on first use, keeps it, and measures the time of the stage.
   */
  stage<Value>(name: string, compute: () => Value): () => Value;
  /** Aborted when no caller needs the file any more. */
  readonly signal: AbortSignal;
  readonly documents: DocumentTools;
}

/** Facts about a file that has pages. */
export interface DocumentFacts {
  /** Number of pages that were read. */
  readonly numPages: number;
  readonly totalPages: number;
  /** Present only when requested, like the blocks. */
  readonly pages?: ReadDocument["pages"];
  readonly blocks?: readonly DocumentPageBlocks[];
}

/** Contents of a file, from which the views of a page are computed. */
export interface FileParts {
  markdown(): string;
  /**
   * Markdown for summaries, answers and highlights. It covers the main content, even if the request asks for
   * the whole page. It is the whole Markdown when the request selects elements, or there is no main content.
   */
  subject(): string;
  html(): string;
  /** The text of the file as received. */
  rawHtml(): string;
  /** Text of a JSON file, redacted if the request asks for redaction. Undefined for other files. */
  jsonText(): string | undefined;
  /** The file's own metadata (contract, section 2.3, layer 1). */
  metadata(): Readonly<Record<string, string | readonly string[]>>;
  /** Undefined for files without pages. */
  document(): DocumentFacts | undefined;
  /** The layout of each page of a PDF, with spans of this Markdown. Empty for other files. */
  layout(): readonly DocumentPageBlocks[];
  /** The file as HTML. */
  tree(): HtmlTree;
  /** The part of the tree that the request selects. */
  wanted(): Selection;
  /** Base URL that relative URLs of the tree resolve against. */
  baseUrl(): string;
  /** Machine-readable data in the file. */
  evidence(): Evidence;
  /**
   * Evidence from the visible part of the file alone: redacted if the request asks for it, and limited to the
   * parts that its tags select.
   */
  ownEvidence(): Evidence;
  /** Whether the request asks for redaction of the Markdown. */
  readonly isRedacted: boolean;
  /** Redacts another text like this file's Markdown, if the request asks for redaction. */
  redact(text: string): string;
}

/** How files of a kind are detected (contract, section 3.16a). */
interface Recognition {
  /** MIME types in lower case, without parameters. */
  readonly types: readonly string[];
  /**
   * Further MIME types. If another kind lists a type, it belongs to that kind. Otherwise the first kind of
   * the table wins.
   */
  readonly family?: RegExp;
  /** First bytes of such a file, in Latin-1. They override the server's type. */
  readonly magic?: { readonly bytes: string; readonly type: string };
  /** Type of a body that identifies itself further in. It overrides the server's type. */
  readonly typeWithin?: (body: Uint8Array) => string | undefined;
  /** Type of a body that is text although it was declared as this kind, whose files are binary. */
  readonly typeOfText?: (declared: string) => string;
  /** Start of text without a declared type, in lower case, when it is of this kind. */
  readonly opening?: { readonly pattern: RegExp; readonly type: string };
  /** Whether the bytes must confirm a declared type. */
  readonly isBinary: boolean;
}

/** Everything about one kind of file. */
export interface Kind {
  /** Unique in the table. */
  readonly name: string;
  readonly recognisedBy: Recognition;
  /**
   * What a browser does with such a file. It renders a page from it, or displays the file itself, so that
   * screenshots are possible, or displays nothing.
   */
  readonly inBrowser: "rendered" | "shown" | "not-shown";
  /** True when another process reads the file, so that it needs no thread of this one. */
  readonly isReadElsewhere?: boolean;
  /** Whether these options leave files of this kind undecoded. Their parts are then base64. */
  isLeft?(options: ReadOptions): boolean;
  /** @throws ServiceError when files of this kind cannot be read with these options. */
  check?(options: ReadOptions, mimeType: string): void;
  /**
   * Reads the parts of the file. Missing parts get the defaults of an undecoded file: base64 in place of
   * text, and nothing else.
   * @throws ServiceError when the file cannot be read; the signal's reason once it is aborted.
   */
  read(source: FileSource, tools: ReadTools): Partial<FileParts> | Promise<Partial<FileParts>>;
}

export function defineKind(kind: Kind): Kind {
  return kind;
}
