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

/** The shape of one element of `formats`. */
type FormatOptions = z.ZodType<{ readonly type: string }>;

/** What a request for a format is checked by, before anything is done. */
export interface FormatRequest<Options extends FormatOptions = FormatOptions> {
  readonly options: Options;
  /** What the whole list must be like when this format is in it (contract, section 1.2). */
  readonly listRule?: ListRule;
  /** What becomes of the format when nothing may be kept. Undefined: it is made all the same. */
  readonly retention?: FormatRetention;
  /** The format that takes its place where both are asked for, because they have a field in common. */
  readonly givesWayTo?: string;
}

/** A rule over the types of all formats that a request lists, repetitions included. */
interface ListRule {
  readonly message: string;
  isKept(types: readonly string[]): boolean;
}

interface FormatRetention {
  /**
   * True when what the format gives is a link to a file that is kept for a while: it is made again for each answer, and
   * refused when nothing may be kept (contract, section 3.29).
   */
  readonly keepsFile?: boolean;
  /** The sentence with which the format is left out when nothing may be kept. */
  readonly leftOut?: string;
  /** The error of a request for the format in lockdown, where no stored page is enough. */
  readonly lockdownError?: ErrorCode;
}

/** What the format costs on top of the base price (contract, section 5.1). */
interface FormatPrice {
  readonly credits: number;
  /** True when they are charged only where the answer has a field of the format. */
  readonly isChargedWhenAnswered?: boolean;
}

/** How a language model may answer the format. */
interface FormatModel<Options> {
  /** Default: always. Pages of requests for which one is asked can be checked for prompt injection before. */
  isAsked?(options: Options): boolean;
  /** Credits on top where a model answered. */
  readonly credits?: number;
  /** The base price of a scrape where a model answered; of all formats the highest counts, once. */
  baseCredits?(options: Options): number;
  /** Whether the format's own options want the page checked for prompt injection. */
  checksInjection?(options: Options): boolean;
}

/** What a browser does for the format. */
interface FormatBrowser<Options> {
  /**
   * What it has to do or to collect. Makes the browser necessary. Without one the capture lacks what was asked for, and
   * the answer warns of it.
   */
  order?(options: Options): Partial<BrowserOrder>;
  /** Minimum time that a browser, if one is used, gives the page before it is captured. */
  readonly leastWaitForMs?: number;
}

/** What formats use of the service. */
export interface FormatServices {
  readonly versions: PageVersions;
  readonly compareVersions: CompareVersions;
  readonly media: Media;
  /** Whether `changeTracking.diff` is an object, where the request does not say. */
  readonly hasDiffObjects: boolean;
}

/** How a page was read. */
export interface PageReading {
  /** Name of the capture in the cache; undefined when it is not kept there. */
  readonly captureId: string | undefined;
  /** Equal for requests that read pages in the same way. */
  readonly name: string;
  /** The Markdown of a kept capture, read like this page; undefined when it is not kept any more. */
  again(captureId: string): Promise<string | undefined>;
}

/** What a format can use besides the page. */
export interface FormatTools extends FormatServices {
  /** Who asks. */
  readonly teamId: string;
  /** Asked before anything is fetched for the format; undefined when every place may be gone to. */
  readonly judge?: MediaOrder["judge"];
  /** Keeps a file, for 24 hours unless another time is named. @returns its absolute URL, which needs no key. */
  link(file: FileContent, lifeMs?: number): Promise<string>;
  /** Adds a sentence to `data.warning`. */
  warn(sentence: string): void;
  /** As `warn`, and marks the answer as partial: the field is made from a part of the page, or lacks its end. */
  warnPartial(sentence: string): void;
  /** Notes for `metadata.answeredBy` who answered: `rules`, or the name of a model. */
  answeredBy(answerer: string): void;
  /** Who can be asked about the page; undefined when the operator has set no model. */
  readonly model: Ask | undefined;
  /** How the page was read, so that another capture can be read in the same way. */
  readonly reading: PageReading;
  /** Has something done once all formats of the answer are made, so that it is left undone when one of them fails. */
  onceMade(work: () => Promise<void>): void;
  /** Aborts when no caller waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Fields as a format gives them: those that could be had. */
type Given<Fields extends AnswerFields> = Immutable<{ [Name in keyof Fields]?: z.output<Fields[Name]> }>;

/** Everything about one output format: its request shape, its part of the answer, its price and its computation. */
export interface Format<
  Options extends FormatOptions = FormatOptions,
  Fields extends AnswerFields = AnswerFields,
> extends FormatRequest<Options> {
  /** Ways to ask for the format, where its `type` alone is none or there are several: tests ask for each. */
  readonly examples?: readonly z.input<Options>[];
  /** The fields of `data` that the format stands for. An answer has no others. */
  readonly answer: Fields;
  /** Undefined: nothing on top of the base price. */
  readonly price?: FormatPrice;
  /** Undefined: a language model that answers changes neither the price nor what is checked. */
  readonly model?: FormatModel<z.output<Options>>;
  /** Where the format is not made. Undefined: it is made of everything, in every way. */
  readonly coverage?: Coverage;
  /** True when it is made of the Markdown, so that `redactPII` takes personal data out of it. */
  readonly isRedacted?: boolean;
  /** True when the format works on any body, also one that is not a page or document. */
  readonly acceptsAnyFile?: boolean;
  /** True when the format is the body as servers send it, not what a browser makes of it. */
  readonly takesBody?: boolean;
  /** What a page of this format has to do with the cache (contract, section 3.24). Undefined: all that there is. */
  cacheUse?(options: z.output<Options>): CacheUse | undefined;
  /**
   * Whether a stored page has what the format is made of, where the cache alone may answer. Undefined: every one has, unless
   * the format has a use of the cache of its own; then none has.
   */
  isInCopy?(copy: Capture): boolean;
  readonly browser?: FormatBrowser<z.output<Options>>;
  /** Computes the fields. @throws the signal's reason, once that is aborted. */
  produce(page: Page, options: z.output<Options>, tools: FormatTools): Promise<Given<Fields>>;
}

/** `written`: the page is stored for others, but no stored page answers. `bypassed`: neither. */
export type CacheUse = "written" | "bypassed";

/** Formats by their `type`. */
export type FormatTable = Readonly<Record<string, Format>>;

/** Declares a format; keeps the types of its options and of its fields. */
export function defineFormat<Options extends FormatOptions, Fields extends AnswerFields>(
  format: Format<Options, Fields>,
): Format<Options, Fields> {
  return format;
}
