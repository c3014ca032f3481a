import type { DocumentPageBlocks } from "../../api/document-blocks.ts";
import type { PdfOptions, ReadDocument } from "@pergamon-dev/documents/model/reader";
import type { HtmlTree } from "@pergamon-dev/html/parser/tree";
import type { Selection } from "@pergamon-dev/html/selection/selection";
import type { DocumentTools } from "./document-tools.ts";
import type { Evidence } from "@pergamon-dev/facts/structured/evidence";
import type { Redaction } from "@pergamon-dev/facts/redaction/span";

/** What of a file is wanted, as far as reading it depends on that. */
export interface ReadOptions {
  readonly onlyMainContent: boolean;
  readonly includeTags: readonly string[];
  readonly excludeTags: readonly string[];
  readonly removeBase64Images: boolean;
  /** Leaves lines out of the Markdown that are left of boilerplate. */
  readonly onlyCleanContent?: boolean;
  /** Numbers of the lines that it leaves out, from 0, where the request chose them. */
  readonly leftOutLines?: readonly number[];
  /** Leaves out cookie and consent notices. */
  readonly removesConsent: boolean;
  /** Kinds of files that are to be turned into Markdown, besides pages and text (contract, section 1.3). */
  readonly parsers: readonly ParserOptions[];
  /** Locale tags of the languages that the file is likely to be in. */
  readonly languages: readonly string[];
  /** How personal data is taken out of the Markdown. Undefined: it stays. */
  readonly redaction?: Redaction;
}

/** How files of a kind are to be parsed; what is about PDF files is left out for others. */
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

/** A file as it came. */
export interface FileSource {
  readonly body: Uint8Array;
  /** The content-type header with its parameters. */
  readonly contentType: string | undefined;
  /** Where the file is. */
  readonly url: string;
  /** The type that it was recognised by, without parameters. */
  readonly mimeType: string;
  readonly options: ReadOptions;
}

/** What a kind reads a file with. */
export interface ReadTools {
  /** Makes a function that computes its value on first use, keeps it, and takes the time of the stage. */
  stage<Value>(name: string, compute: () => Value): () => Value;
  /** Aborted when no caller needs the file any more. */
  readonly signal: AbortSignal;
  /** Processes that read documents. */
  readonly documents: DocumentTools;
}

/** What is reported of a file that has pages. */
export interface DocumentFacts {
  /** Pages that were read. */
  readonly numPages: number;
  readonly totalPages: number;
  /** Only when they were asked for, as the blocks. */
  readonly pages?: ReadDocument["pages"];
  readonly blocks?: readonly DocumentPageBlocks[];
}

/** What can be had of a file. Views of a page are computed from these. */
export interface FileParts {
  markdown(): string;
  /**
   * The Markdown that summaries, answers and highlights are made of: of the main content, whether or not the request asks
   * for that alone; the whole Markdown where the request selects elements, or there is no main content.
   */
  subject(): string;
  html(): string;
  /** The text of the file as it came. */
  rawHtml(): string;
  /** The text of a file of JSON, without personal data where that is redacted; undefined for other files. */
  jsonText(): string | undefined;
  /** What the file says about itself (contract, section 2.3, layer 1). */
  metadata(): Readonly<Record<string, string | readonly string[]>>;
  /** Undefined for files that have no pages. */
  document(): DocumentFacts | undefined;
  /** The file as HTML. */
  tree(): HtmlTree;
  /** What of the tree is wanted. */
  wanted(): Selection;
  /** What addresses in the tree are relative to. */
  baseUrl(): string;
  /** What the file says for machines to read. */
  evidence(): Evidence;
  /**
   * The same, of what the request lets be seen of the file: without personal data where that is redacted, and only of
   * the parts that its tags leave.
   */
  ownEvidence(): Evidence;
  /** Another text as this file's Markdown is answered: without personal data where that is redacted. */
  redact(text: string): string;
}

/** How files of a kind are recognised (contract, section 3.16a). */
interface Recognition {
  /** MIME types in lower case, without parameters. */
  readonly types: readonly string[];
  /** Further MIME types. A type that another kind lists is that kind's; otherwise the first kind of the table wins. */
  readonly family?: RegExp;
  /** What the bytes of such a file begin with, in Latin-1. Decides regardless of the server's type. */
  readonly magic?: { readonly bytes: string; readonly type: string };
  /** The type of a body that says itself, further in, that it is such a file. Decides regardless of the server's type. */
  readonly typeWithin?: (body: Uint8Array) => string | undefined;
  /** What a body is that is declared to be such a file, which has other bytes than text, and is text. */
  readonly typeOfText?: (declared: string) => string;
  /** What text of no declared type begins with, in lower case, when it is of this kind. */
  readonly opening?: { readonly pattern: RegExp; readonly type: string };
  /** Whether a declared type is believed only after a look at the bytes. */
  readonly isBinary: boolean;
}

/** Everything about one kind of file. */
export interface Kind {
  /** Unique in the table. */
  readonly name: string;
  readonly recognisedBy: Recognition;
  /**
   * What a browser does with such a file: it makes the page from it that people see, or shows the file as it is, so
   * that pictures can be taken of it, or has nothing to show.
   */
  readonly inBrowser: "rendered" | "shown" | "not-shown";
  /** True when reading is done by another process, so that it needs no thread of this one. */
  readonly isReadElsewhere?: boolean;
  /** Whether files of this kind are not decoded with these options: their parts are base64. */
  isLeft?(options: ReadOptions): boolean;
  /** @throws ServiceError when files of this kind cannot be read as these options want it. */
  check?(options: ReadOptions, mimeType: string): void;
  /**
   * What can be had of the file. Parts that are left out are those of a file that is not decoded: base64 where text is
   * wanted, and nothing else.
   * @throws ServiceError when the file cannot be read; the signal's reason once it is aborted.
   */
  read(source: FileSource, tools: ReadTools): Partial<FileParts> | Promise<Partial<FileParts>>;
}

/** Declares a kind of file. */
export function defineKind(kind: Kind): Kind {
  return kind;
}
