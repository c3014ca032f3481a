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
import { explainBlocked } from "../../fetch/fallback/blocked.ts";
import type { Produced } from "./produce.ts";
import type { ScrapeData } from "./schema.ts";

export type { ScrapeFacts };

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

/** Metadata names that the service sets itself. A page cannot override them. */
const FACT_NAMES: ReadonlySet<string> = new Set(
  Object.keys({ ...captureFacts, ...answerFacts, ...scrapeFacts, ...uploadFacts }),
);

/** Fields of the response besides those of the formats. */
interface Additions {
  readonly warning?: string;
  readonly tools?: readonly object[];
  /** Hints for language models. */
  readonly hints?: readonly string[];
}

/**
 * Result of the wanted formats for one capture, without the facts of a single scrape, so scrapes can share
 * it.
 */
export class Answer {
  readonly capture: Capture;
  /** Milliseconds that each stage took when the answer was made. */
  readonly timings: ReadonlyMap<string, number>;
  /** Page counts of a document. Undefined for other files. */
  readonly pageCounts: Produced["pageCounts"];
  /** The formats that a language model answered. */
  readonly byModel: ReadonlySet<string>;
  /** Whether a language model was asked about the page. A second request may then get other words. */
  readonly isModelAsked: boolean;
  /** Whether a model was asked and did not answer. A later request may get a better answer. */
  readonly isMakeshift: boolean;
  /** Whether nothing of the request could be made. Such a scrape costs nothing. */
  readonly isForNothing: boolean;
  /** Whether the page passed the check for prompt injection. */
  readonly isInjectionChecked: boolean;
  /** Links of the page, when the plan wants an outline. */
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

  /** Whether it depends on nothing but the page and the request, and costs what any page costs. */
  get isReusable(): boolean {
    const isByRules = !this.isModelAsked && !this.isMakeshift && !this.isInjectionChecked;
    return isByRules && this.pageCounts === undefined && !this.isForNothing;
  }

  /** Sentences that say what the answer lacks, and why. */
  get warning(): string | undefined {
    return this.#fields.warning;
  }

  /** Names of the fields that the formats returned. */
  get fields(): readonly string[] {
    return Object.keys(this.#fields);
  }

  /** Approximate size in memory, of the capture as well. */
  get sizeBytes(): number {
    const { body } = this.capture;
    return body.byteLength + sizeOf(this.#fields) + sizeOf(this.#metadata) + sizeOf(this.outline);
  }

  /** Returns the `data` object of the response. */
  data(facts: ScrapeFacts): ScrapeData {
    return { ...this.#fields, metadata: { ...this.#metadata, ...facts } as ScrapeMetadata };
  }

  /** Encodes `data` as JSON, in UTF-8 parts. */
  encodeData(facts: ScrapeFacts): Promise<readonly Buffer[]> {
    const { metadata, ...fields } = this.data(facts);
    return encodeMembers("{", fields, `"metadata":${JSON.stringify(metadata)}}`);
  }

  /**
   * Encodes the whole response as JSON, in UTF-8 parts. Only the facts are encoded anew for each call.
   * @param additions further fields of `data`, and hints next to it. Its warning follows that of the answer.
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

/** Appends a warning, which also marks the answer as incomplete. */
function withWarning({ metadata, ...fields }: ScrapeData, added: string) {
  const warnings = [...(metadata.warnings ?? []), added];
  return {
    fields: { ...fields, warning: warnings.join(" ") },
    metadata: { ...metadata, warnings, partial: true },
  };
}

/** The page's own metadata, overlaid by what its capture tells (contract, section 2.3). */
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
    ...errorOf(capture),
    ...(capture.blocked && { blocked: capture.blocked }),
    contentType: statedType(capture.contentType) ?? file.mimeType,
    proxyUsed: capture.proxyUsed,
    ...(capture.timezone && { timezone: capture.timezone }),
  };
}

/** Reason phrase of a status outside 2xx, else why it is not the page. */
function errorOf({ statusCode, reason, blocked }: Capture): { readonly error?: string } {
  if ((statusCode < 200 || statusCode > 299) && reason !== "") return { error: reason };
  return blocked ? { error: explainBlocked(blocked) } : {};
}

/** Size of an object or a list, and of each of their members. */
const MEMBER_BYTES = 40;

/** Counts texts twice, because their JSON is kept once it was sent. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return MEMBER_BYTES + 2 * value.length;
  if (typeof value !== "object" || value === null) return MEMBER_BYTES;
  let bytes = MEMBER_BYTES;
  for (const member of Object.values(value)) bytes += sizeOf(member);
  return bytes;
}

/** The members of an object as JSON, each followed by a comma. */
function members(value: object): string {
  const inner = JSON.stringify(value).slice(1, -1);
  return inner === "" ? "" : `${inner},`;
}
