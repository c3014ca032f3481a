import type { z } from "zod";

import type { AnswerFields } from "../../api/answer.ts";
import type { ErrorCode } from "../../api/error-codes.ts";
import type { Immutable } from "../../api/immutable.ts";
import type { FileContent } from "../../storage/blobs/file-content.ts";
import type { Media, MediaOrder } from "../media/media.ts";
import type { Page } from "../page/page.ts";
import type { CompareVersions } from "../page/version-comparison.ts";
import type { PageVersions } from "../diff/page-versions.ts";
import type { Ask } from "./ask.ts";
import type { Coverage } from "./coverage.ts";
import type { Capture } from "../../fetch/capture.ts";
import type { BrowserOrder } from "../../fetch/visit.ts";

/** Schema of one element of `formats`. */
type FormatOptions = z.ZodType<{ readonly type: string }>;

/** Checks for a request of the format, before any work starts. */
export interface FormatRequest<Options extends FormatOptions = FormatOptions> {
  readonly options: Options;
  /** Rule for the whole list when this format is in it (contract, section 1.2). */
  readonly listRule?: ListRule;
  /** Behaviour when nothing may be kept. Undefined: the format is made all the same. */
  readonly retention?: FormatRetention;
  /** Name of the format that replaces this one when both are requested, because they share a field. */
  readonly givesWayTo?: string;
}

/** A rule for the types of all requested formats, repetitions included. */
interface ListRule {
  readonly message: string;
  isKept(types: readonly string[]): boolean;
}

interface FormatRetention {
  /**
   * True when the format returns a link to a file that is kept for a while. It is made again for each answer,
   * and refused when nothing may be kept (contract, section 3.29).
   */
  readonly keepsFile?: boolean;
  /** Warning that explains why the format is left out when nothing may be kept. */
  readonly leftOut?: string;
  /** Error for the format in lockdown, when no stored page is enough. */
  readonly lockdownError?: ErrorCode;
}

/** Credits of the format on top of the base price (contract, section 5.1). */
interface FormatPrice {
  readonly credits: number;
  /** True when the credits are charged only if the answer has a field of the format. */
  readonly isChargedWhenAnswered?: boolean;
}

/** How a language model may answer the format. */
interface FormatModel<Options> {
  /** Default: always. Pages of requests that ask a model can be checked for prompt injection first. */
  isAsked?(options: Options): boolean;
  /** Additional credits when a model answered. */
  readonly credits?: number;
  /** Base price of a scrape when a model answered. Only the highest of all formats counts, once. */
  baseCredits?(options: Options): number;
  /** Whether the format's own options ask for a prompt injection check. */
  checksInjection?(options: Options): boolean;
}

interface FormatBrowser<Options> {
  /** Work that makes a browser necessary. Without a browser the capture lacks it, and the answer warns. */
  order?(options: Options): Partial<BrowserOrder>;
  /** Minimum milliseconds that a browser, if one is used, gives the page before the capture. */
  readonly leastWaitForMs?: number;
}

export interface FormatServices {
  readonly versions: PageVersions;
  readonly compareVersions: CompareVersions;
  readonly media: Media;
  /** Default for whether `changeTracking.diff` is an object. */
  readonly hasDiffObjects: boolean;
}

export interface PageReading {
  /** Name of the capture in the cache. Undefined when it is not kept there. */
  readonly captureId: string | undefined;
  /** Equal for requests that read pages with the same options. */
  readonly name: string;
  /**
   * Markdown of a stored capture, read with the options of this page. Undefined when it is not stored any
   * more.
   */
  again(captureId: string): Promise<string | undefined>;
}

export interface FormatTools extends FormatServices {
  readonly teamId: string;
  /** Judges addresses before the format fetches from them. Undefined when every address is allowed. */
  readonly judge?: MediaOrder["judge"];
  /** Stores a file, by default for 24 hours. @returns its absolute URL, which needs no key. */
  link(file: FileContent, lifeMs?: number): Promise<string>;
  /** Adds a sentence to `data.warning`. */
  warn(sentence: string): void;
  /**
   * Warns, and marks the answer as partial because the field covers only a part of the page, or lacks its
   * end.
   */
  warnPartial(sentence: string): void;
  /** Records the producer of a format for `metadata.answeredBy`: `rules`, or the name of a model. */
  answeredBy(answerer: string): void;
  /** Undefined when the operator has set no model. */
  readonly model: Ask | undefined;
  /** Options of this reading, so that another capture can be read in the same way. */
  readonly reading: PageReading;
  /** Runs work after all formats of the answer are made. It does not run when one of them fails. */
  onceMade(work: () => Promise<void>): void;
  /** Aborts when no caller waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** The fields that the format could make. */
type Given<Fields extends AnswerFields> = Immutable<{ [Name in keyof Fields]?: z.output<Fields[Name]> }>;

/**
 * Everything about one output format: its request schema, its answer fields, its price and its computation.
 */
export interface Format<
  Options extends FormatOptions = FormatOptions,
  Fields extends AnswerFields = AnswerFields,
> extends FormatRequest<Options> {
  /** Example requests for tests, when the `type` alone is not valid or is not the only way. */
  readonly examples?: readonly z.input<Options>[];
  /** Fields of `data` that belong to the format. Its answers have no others. */
  readonly answer: Fields;
  /** Undefined: no credits on top of the base price. */
  readonly price?: FormatPrice;
  /** Undefined: an answer by a model changes neither the price nor the checks. */
  readonly model?: FormatModel<z.output<Options>>;
  /** Places at which the format is not made. Undefined: it is made everywhere. */
  readonly coverage?: Coverage;
  /** True when the format is made from the Markdown, so that `redactPII` applies to it. */
  readonly isRedacted?: boolean;
  /** True when the format works on any body, even one that is no page or document. */
  readonly acceptsAnyFile?: boolean;
  /** True when the format returns the body as servers send it, not the result of a browser. */
  readonly takesBody?: boolean;
  /**
   * How requests of this format use the cache (contract, section 3.24). Undefined: they read and write it.
   */
  cacheUse?(options: z.output<Options>): CacheUse | undefined;
  /**
   * Whether a stored page holds the data of the format, when only the cache may answer. Undefined: every
   * stored page does, unless the format defines `cacheUse`. Then none does.
   */
  isInCopy?(copy: Capture): boolean;
  readonly browser?: FormatBrowser<z.output<Options>>;
  /** Computes the fields. @throws the signal's reason, once that is aborted. */
  produce(page: Page, options: z.output<Options>, tools: FormatTools): Promise<Given<Fields>>;
}

/**
 * `written`: the page is stored for others, but no stored page answers. `bypassed`: the cache is neither read
 * nor written.
 */
export type CacheUse = "written" | "bypassed";

export type FormatTable = Readonly<Record<string, Format>>;

/** Declares a format and keeps the types of its options and fields. */
export function defineFormat<Options extends FormatOptions, Fields extends AnswerFields>(
  format: Format<Options, Fields>,
): Format<Options, Fields> {
  return format;
}
