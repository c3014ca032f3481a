import { kindNamed } from "../../file-kinds/all.ts";
import type { DocumentFacts } from "../../file-kinds/kind.ts";
import type { DetectedFile } from "../../file-kinds/detect.ts";
import type { Page, PageMetadata, PageOptions } from "../../page/page.ts";
import { actionData } from "../../visit/actions/action-results.ts";
import type { Capture } from "../../visit/capture.ts";
import type { FormatTools } from "../formats/format.ts";
import { formatNamed } from "../request/formats.ts";
import type { PlannedFormat } from "../request/plan.ts";
import type { ScrapeData } from "./schema.ts";

/** What the formats made of a page, before the metadata of the single scrape is added. */
export interface Produced {
  readonly fields: Omit<ScrapeData, "metadata">;
  readonly pageMetadata: PageMetadata;
  /** Undefined when the page is not a document. */
  readonly pageCounts: Pick<DocumentFacts, "numPages" | "totalPages"> | undefined;
  /** Who answered the formats that a model can answer, such as `summary: rules`. */
  readonly answeredBy: readonly string[];
  /** The formats that a model answered. */
  readonly byModel: ReadonlySet<string>;
  /** What is missing in the answer, and why: a sentence each, the newest first. */
  readonly warnings: readonly string[];
  /** Whether something that was asked for is missing or cut. */
  readonly isPartial: boolean;
}

/** What of a plan the formats are made by. */
interface WantedFormats {
  readonly formats: readonly PlannedFormat[];
  readonly warnings: readonly string[];
  /** What was left out of the request, in sentences. They are among the warnings. */
  readonly leftOut?: readonly string[];
  /** What is said of cleaned Markdown; it comes last. */
  readonly lastWarning?: string | undefined;
}

const SPENT = "The language model was not used because the daily token limit is reached.";

/** Computes all wanted formats at once; they share the page's views. */
export async function produceFormats(
  page: Page,
  wanted: WantedFormats,
  outside: Omit<FormatTools, "warn" | "warnPartial" | "answeredBy" | "onceMade">,
): Promise<Produced> {
  const warnings = [...warningsOf(page.capture), ...wanted.warnings];
  let isCut = false;
  const answeredBy: string[] = [];
  const byModel = new Set<string>();
  const whenMade: (() => Promise<void>)[] = [];
  const toolsOf = (name: string): FormatTools => ({
    ...outside,
    warn: (sentence) => warnings.unshift(sentence),
    warnPartial(sentence) {
      warnings.unshift(sentence);
      isCut = true;
    },
    onceMade: (task) => void whenMade.push(task),
    answeredBy(answerer) {
      answeredBy.push(`${name}: ${answerer}`);
      if (answerer !== "rules") byModel.add(name);
    },
  });
  const work = wanted.formats.map(({ name, options }) =>
    formatNamed(name).produce(page, options, toolsOf(name)),
  );
  const [pageMetadata, document, actions, ...parts] = await Promise.all([
    page.metadata(),
    page.document(),
    page.capture.actions && actionData(page.capture.actions, outside.link),
    ...work,
  ]);
  outside.signal.throwIfAborted();
  await Promise.all(whenMade.map((task) => task()));
  if (wanted.lastWarning !== undefined) warnings.push(wanted.lastWarning);
  if (outside.model?.isSpent === true) warnings.push(SPENT);
  const warning = warnings.length > 0 ? { warning: warnings.join(" ") } : {};
  const { numPages, totalPages, ...shown } = document ?? {};
  return {
    fields: Object.assign({}, ...parts, shown, actions && { actions }, warning) as Produced["fields"],
    pageMetadata,
    pageCounts: numPages === undefined || totalPages === undefined ? undefined : { numPages, totalPages },
    answeredBy,
    byModel,
    warnings,
    isPartial: isCut || isIncomplete(page.capture, { wanted, parts, document }),
  };
}

interface Made {
  readonly wanted: WantedFormats;
  readonly parts: readonly object[];
  readonly document: DocumentFacts | undefined;
}

/** Whether the engine lacked something, a format gave nothing, or a document has more pages than were read. */
function isIncomplete({ lacks = [] }: Capture, { wanted, parts, document }: Made): boolean {
  const isShort = document !== undefined && document.numPages < document.totalPages;
  const isLeftOut = wanted.leftOut !== undefined && wanted.leftOut.length > 0;
  return isShort || isLeftOut || lacks.length > 0 || parts.some((part) => Object.keys(part).length === 0);
}

/** What the engine could not do (contract, section 3.21). */
function warningsOf({ lacks = [] }: Capture): readonly string[] {
  if (lacks.length === 0) return [];
  const features = lacks.join(", ");
  return [
    `The engine used does not support the following features: ${features} -- your scrape may be partial.`,
  ];
}

/** @throws ServiceError when the wanted formats cannot be made from a file of this kind (contract, section 3.16). */
export function refuseUnreadable({ kind, mimeType }: DetectedFile, options: PageOptions): void {
  if (!options.acceptsAnyFile) kindNamed(kind).check?.(options, mimeType);
}
