import type { PageOutline } from "@pergamon-dev/html/selection/page-outline";
import { type DetectedFile, statedType } from "../../fetch/file-kinds/detect.ts";
import {
  answerFacts,
  captureFacts,
  type CaptureFacts,
  scrapeFacts,
  type ScrapeFacts,
  type ScrapeMetadata,
  uploadFacts,
} from "../../api/answer.ts";
import { encodeMembers } from "@pergamon-dev/kit/encode-members";
import { lazy } from "@pergamon-dev/kit/lazy";
import type { Capture } from "../../fetch/capture.ts";
import type { Produced } from "./produce.ts";
import type { ScrapeData } from "./schema.ts";

export type { ScrapeFacts };

/** What an answer is made from. */
interface AnswerParts {
  readonly capture: Capture;
  readonly file: DetectedFile;
  readonly produced: Produced;
  readonly timings: ReadonlyMap<string, number>;
  readonly outline?: PageOutline | undefined;
  readonly isModelAsked?: boolean;
  readonly isMakeshift?: boolean;
  readonly isInjectionChecked?: boolean;
}

/** Names that belong to the service, so that a page cannot set them. */
const FACT_NAMES: ReadonlySet<string> = new Set(
  Object.keys({ ...captureFacts, ...answerFacts, ...scrapeFacts, ...uploadFacts }),
);

/** What an answer says besides the formats. */
interface Additions {
  readonly warning?: string;
  readonly tools?: readonly object[];
  /** For language models. */
  readonly hints?: readonly string[];
}

/** What the wanted formats made of a capture: everything in an answer that is not of the single scrape. */
export class Answer {
  readonly capture: Capture;
  /** Milliseconds that each stage took when the answer was made. */
  readonly timings: ReadonlyMap<string, number>;
  /** Of a document: undefined for everything else. */
  readonly pageCounts: Produced["pageCounts"];
  /** The formats that a language model answered. */
  readonly byModel: ReadonlySet<string>;
  /** Whether a language model was asked about the page: asked again, it may say something else. */
  readonly isModelAsked: boolean;
  /** Whether a model did not answer that was asked: the same may be answered better soon. */
  readonly isMakeshift: boolean;
  /** Whether nothing that was asked for could be made: it costs nothing. */
  readonly isForNothing: boolean;
  /** Whether the page was checked for orders to language models, and passed. */
  readonly isInjectionChecked: boolean;
  /** Where the page leads, where that is wanted. */
  readonly outline: PageOutline | undefined;
  readonly #fields: Produced["fields"];
  readonly #metadata: Readonly<Record<string, unknown>>;

  constructor(parts: AnswerParts) {
    const { capture, file, produced, timings } = parts;
    this.isModelAsked = parts.isModelAsked === true;
    this.isMakeshift = parts.isMakeshift === true;
    this.isInjectionChecked = parts.isInjectionChecked === true;
    this.capture = capture;
    this.outline = parts.outline;
    this.timings = timings;
    this.pageCounts = produced.pageCounts;
    this.byModel = produced.byModel;
    this.isForNothing = produced.isForNothing;
    this.#fields = produced.fields;
    this.#metadata = pageMetadata(capture, file, produced);
  }

  /** What is missing in the answer, and why, in sentences. */
  get warning(): string | undefined {
    return this.#fields.warning;
  }

  /** Names of the fields that formats gave. */
  get fields(): readonly string[] {
    return Object.keys(this.#fields);
  }

  /** The `data` of an answer. */
  data(facts: ScrapeFacts): ScrapeData {
    return { ...this.#fields, metadata: { ...this.#metadata, ...facts } as ScrapeMetadata };
  }

  /** The same as JSON, in UTF-8, in parts. */
  encodeData(facts: ScrapeFacts): Promise<readonly Buffer[]> {
    const { metadata, ...fields } = this.data(facts);
    return encodeMembers("{", fields, `"metadata":${JSON.stringify(metadata)}}`);
  }

  /**
   * The whole answer as JSON, in UTF-8, in parts. All but the facts is encoded once, however often it is answered.
   * @param additions further fields of `data`, and hints next to it; a warning is said after that of the answer.
   */
  async encode(facts: ScrapeFacts, additions: Additions = {}): Promise<readonly Buffer[]> {
    const { warning, hints = [], ...others } = additions;
    const end = hints.length === 0 ? "}}" : `},"agent_hints":${JSON.stringify(hints)}}`;
    if (warning !== undefined) {
      const { metadata, fields } = withWarning(this.data(facts), warning);
      return encodeMembers(START, { ...fields, ...others }, `"metadata":${JSON.stringify(metadata)}${end}`);
    }
    const more = members(others).slice(0, -1);
    const encoded = await this.#encoded();
    return [...encoded, Buffer.from(`${JSON.stringify(facts).slice(1)}${more && `,${more}`}${end}`)];
  }

  readonly #encoded = lazy(() =>
    encodeMembers(START, this.#fields, `"metadata":{${members(this.#metadata)}`),
  );
}

const START = '{"success":true,"data":{';

/** What is added is said after what the answer says, and means that something is missing. */
function withWarning({ metadata, ...fields }: ScrapeData, added: string) {
  const warnings = [...(metadata.warnings ?? []), added];
  return {
    fields: { ...fields, warning: warnings.join(" ") },
    metadata: { ...metadata, warnings, partial: true },
  };
}

/** What the page says about itself, overlaid by what its capture tells (contract, section 2.3). */
function pageMetadata(capture: Capture, file: DetectedFile, produced: Produced) {
  const { pageMetadata: own, pageCounts, answeredBy, warnings, isPartial } = produced;
  const entries = Object.entries(own).filter(([name]) => !FACT_NAMES.has(name));
  return {
    ...Object.fromEntries(entries),
    ...pageCounts,
    ...factsOfCapture(capture, file),
    ...(answeredBy.length > 0 && { answeredBy }),
    ...(warnings.length > 0 && { warnings }),
    ...(isPartial && { partial: true }),
  };
}

function factsOfCapture(capture: Capture, file: DetectedFile): CaptureFacts {
  return {
    ...(capture.sourceFile === undefined ? { url: capture.url } : { sourceFile: capture.sourceFile }),
    statusCode: capture.statusCode,
    ...(isFailure(capture) && { error: capture.reason }),
    contentType: statedType(capture.contentType) ?? file.mimeType,
    proxyUsed: capture.proxyUsed,
    ...(capture.timezone && { timezone: capture.timezone }),
  };
}

function isFailure({ statusCode, reason }: Capture): boolean {
  return (statusCode < 200 || statusCode > 299) && reason !== "";
}

/** The members of an object as JSON, each followed by a comma. */
function members(value: object): string {
  const inner = JSON.stringify(value).slice(1, -1);
  return inner === "" ? "" : `${inner},`;
}
