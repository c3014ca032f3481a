import { kindNamed } from "../../fetch/file-kinds/all.ts";
import type { DocumentFacts } from "../../fetch/file-kinds/kind.ts";
import type { DetectedFile } from "../../fetch/file-kinds/detect.ts";
import type { Page, PageMetadata, PageOptions } from "../page/page.ts";
import { actionData } from "../../fetch/actions/action-results.ts";
import type { Capture } from "../../fetch/capture.ts";
import { explainBlocked } from "../../fetch/fallback/blocked.ts";
import {
  type Matter,
  matters,
  type Undone,
  undoneOf,
  undoneOptions,
  undoneSentence,
} from "../formats/coverage.ts";
import type { FormatTools } from "../formats/format.ts";
import { formatNamed } from "../request/formats.ts";
import type { PlannedFormat } from "../request/plan.ts";
import type { ScrapeData } from "./schema.ts";

/** Result of the formats for a page, without the metadata of a single scrape. */
export interface Produced {
  readonly fields: Omit<ScrapeData, "metadata">;
  readonly pageMetadata: PageMetadata;
  /** Undefined when the page is not a document. */
  readonly pageCounts: Pick<DocumentFacts, "numPages" | "totalPages"> | undefined;
  /** Producer of each format that a model can answer, such as `summary: rules`. */
  readonly answeredBy: readonly string[];
  /** Formats that a model answered. */
  readonly byModel: ReadonlySet<string>;
  /** Sentences that say what the answer lacks, and why, the newest first. */
  readonly warnings: readonly string[];
  /** Whether something of the request is missing or cut. */
  readonly isPartial: boolean;
  /**
   * Whether nothing of the request could be made of such a page in such a way. The scrape then costs nothing.
   */
  readonly isForNothing: boolean;
}

interface WantedFormats {
  readonly formats: readonly PlannedFormat[];
  readonly warnings: readonly string[];
  /** Sentences about what was left out of the request. `warnings` contains them, too. */
  readonly leftOut?: readonly string[];
  readonly wantsActions?: boolean | undefined;
  /** Kind of the page, which decides what can be made of it. */
  readonly matter: Matter;
  readonly options: PageOptions;
  /** Warning about cleaned Markdown. It comes last. */
  readonly lastWarning?: string | undefined;
}

const SPENT = "The language model was not used because the daily token limit is reached.";
const NO_WHOLE_BROWSER =
  "This machine has no whole browser for the enhanced proxy, so that sites can tell the visitor from a person. The operator can install one: pergamon doctor.";

/** Computes all wanted formats at once. They share the page's views. */
export async function produceFormats(
  page: Page,
  wanted: WantedFormats,
  outside: Omit<FormatTools, "warn" | "warnPartial" | "answeredBy" | "onceMade">,
): Promise<Produced> {
  const { capture } = page;
  const { undone, made, isForNothing } = coveredBy(wanted, capture);
  const results = capture.actions ?? (wanted.wantsActions === true ? {} : undefined);
  const warnings = [...warningsOf(capture, undone), ...wanted.warnings];
  if (capture.lacksWholeBrowser === true) warnings.push(NO_WHOLE_BROWSER);
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
  const work = made.map(({ name, options }) => formatNamed(name).produce(page, options, toolsOf(name)));
  const [pageMetadata, document, actions, idle, ...parts] = await Promise.all([
    // A document is not even read when no format can be made of it.
    isForNothing && wanted.matter !== "html" ? {} : page.metadata(),
    isForNothing ? undefined : page.document(),
    results && actionData(results, outside.link),
    idleSelectorsOf(page, wanted),
    ...work,
  ]);
  warnings.push(...idle);
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
    isPartial: isCut || isIncomplete(capture, { wanted, parts, document }),
    isForNothing,
  };
}

interface Made {
  readonly wanted: WantedFormats;
  readonly parts: readonly object[];
  readonly document: DocumentFacts | undefined;
}

/**
 * Whether it is not the page, the engine lacked something, a format returned no field, or a document has more pages than were
 * read.
 */
function isIncomplete({ lacks = [], blocked }: Capture, { wanted, parts, document }: Made): boolean {
  const isShort = document !== undefined && document.numPages < document.totalPages;
  const isLeftOut = wanted.leftOut !== undefined && wanted.leftOut.length > 0;
  const isUnmade =
    parts.length < wanted.formats.length || parts.some((part) => Object.keys(part).length === 0);
  return isShort || isLeftOut || lacks.length > 0 || isUnmade || blocked !== undefined;
}

/** Decides which parts of the request are possible for such a page, fetched in this way. */
function coveredBy({ formats, matter, options, wantsActions }: WantedFormats, { lacks = [] }: Capture) {
  const unmade = formats.flatMap(({ name }) => undoneOf(name, formatNamed(name).coverage, matter));
  const isMade = ({ name }: PlannedFormat) => unmade.every((one) => one.name !== name);
  const isInPages = options.parsers.some(
    ({ pages, pageMarkdown, blocks }) => pages || pageMarkdown || blocks,
  );
  const made = formats.filter(isMade);
  return {
    undone: [...undoneOptions(options, matter), ...unmade].filter(({ name }) => !lacks.includes(name)),
    made,
    isForNothing:
      formats.length > 0 && made.every(({ name }) => lacks.includes(name)) && !wantsActions && !isInPages,
  };
}

const LOGIN = "The URL led to a page that asks for a password.";

/**
 * Warnings about an answer that is not the page, what the engine could not do (contract, section 3.21), and
 * what such a page does not allow.
 */
function warningsOf({ lacks = [], blocked, isLogin }: Capture, undone: readonly Undone[]): readonly string[] {
  const features = lacks.join(", ");
  return [
    ...(blocked ? [explainBlocked(blocked)] : []),
    ...(isLogin === true && !blocked ? [LOGIN] : []),
    ...(lacks.length > 0
      ? [
          `The engine used does not support the following features: ${features} -- your scrape may be partial.`,
        ]
      : []),
    ...(undone.length > 0 ? [undoneSentence("Not done for such a file", undone)] : []),
  ];
}

/** Warnings about selectors that match nothing on the page. */
async function idleSelectorsOf(
  page: Page,
  { formats, matter, options }: WantedFormats,
): Promise<readonly string[]> {
  const tags = [...options.includeTags, ...options.excludeTags];
  const read = formats.flatMap(({ options: format }) => ("selectors" in format ? format.selectors : []));
  const selectors = [...tags, ...read.map(({ selector }) => selector)];
  if (selectors.length === 0 || (matter !== "html" && matter !== "feed")) return [];
  const { invalid, unmatched } = await page.idleSelectors(selectors);
  const idleTags = unmatched.filter((selector) => tags.includes(selector));
  return [
    ...(invalid.length > 0 ? [`These selectors are not valid and were ignored: ${quoted(invalid)}.`] : []),
    ...(idleTags.length > 0 ? [`Nothing on the page matches these tags: ${quoted(idleTags)}.`] : []),
  ];
}

function quoted(selectors: readonly string[]): string {
  return selectors.map((selector) => JSON.stringify(selector)).join(", ");
}

/** Kind of a file, as far as it decides what can be made of it. */
export function matterOf({ kind }: DetectedFile, options: PageOptions): Matter {
  return kindNamed(kind).isLeft?.(options) === true
    ? "undecoded"
    : (matters.find((one) => one === kind) ?? "html");
}

/** @throws ServiceError when a file of this kind cannot have the wanted formats (contract, section 3.16). */
export function refuseUnreadable({ kind, mimeType }: DetectedFile, options: PageOptions): void {
  if (!options.acceptsAnyFile) kindNamed(kind).check?.(options, mimeType);
}
