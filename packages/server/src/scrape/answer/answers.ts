import { LRUCache } from "lru-cache";
import { z } from "zod";

import { detectFile } from "../../fetch/file-kinds/detect.ts";
import type { DocumentTools } from "../../fetch/file-kinds/document-tools.ts";
import { limits } from "../../api/limits.ts";
import { uuidTimeMs } from "@pergamon-dev/kit/uuid";
import { readVersion } from "../../api/version.ts";
import { stableHash } from "@pergamon-dev/kit/hash";
import { SingleFlight } from "@pergamon-dev/kit/single-flight";
import type { Stages } from "@pergamon-dev/kit/stages";
import type { Capture } from "../../fetch/capture.ts";
import { Answer } from "./answer.ts";
import type { ScrapeData } from "./schema.ts";
import { decodeMembers } from "@pergamon-dev/kit/decode-members";
import { decodeInTurns } from "@pergamon-dev/kit/encode-members";
import type { PageCache } from "../../fetch/page-cache/page-cache.ts";
import type { Records } from "../../history/records.ts";
import type { MadeAnswer } from "../../history/stored-answers.ts";
import type { Files } from "../../files/files.ts";
import type { FileContent } from "../../storage/blobs/file-content.ts";
import type { Page, PageOptions } from "../page/page.ts";
import type { Pages } from "../page/pages.ts";
import type { FormatServices, FormatTools, PageReading } from "../formats/format.ts";
import { formatNamed } from "../request/formats.ts";
import type { RetrievalOptions } from "@pergamon-dev/facts/answers/retrieval-chunks";
import type { Recipe } from "../request/plan.ts";
import type { Ask, AskFor } from "../formats/ask.ts";
import { type Cleaning, planCleaning } from "./cleaning.ts";
import { findMorePersonalData } from "./more-personal-data.ts";
import { matterOf, produceFormats, refuseUnreadable } from "./produce.ts";
import { ServiceError } from "../../api/errors.ts";
import type { Checked } from "../../storage/models/ask-endpoint.ts";
import { injectionPrompt } from "../prompts/prompts.ts";

/** A recipe with its JSON, which serves as its cache key. */
type NamedRecipe = Recipe & { readonly recipe: string };

interface AnswerSource {
  readonly capture: Capture;
  /** Undefined when the capture is not in the cache. */
  readonly captureId: string | undefined;
  readonly how: NamedRecipe;
  /** Whether the capture was there before, so that an answer may be stored already. */
  readonly isStored?: boolean | undefined;
}

/** Makes answers and remembers recent ones of cached captures. Equal answers are made once at a time. */
export interface Answers {
  /** Announces that a page is being fetched for which an answer will be made. */
  expectPage(): void;
  /**
   * @throws ServiceError when the wanted formats cannot be made from such a file.
   */
  make(source: AnswerSource, context: AnswerContext): Promise<Answer>;
  /**
   * Returns the answer if it was made recently.
   * @param mayAsk false: returns only an answer that no model took part in.
   */
  cached(captureId: string, how: NamedRecipe, mayAsk: boolean): Answer | undefined;
  /**
   * Name of what the answer is made from. Scrapes of the same team with the same name get the same answer.
   * Undefined when that depends on more.
   */
  nameOf(answer: Answer, source: AnswerSource, teamId: string): string | undefined;
  /** Forgets the answers that were made recently. */
  letGo(): void;
  /** Whether language models may answer formats. */
  readonly asksModel: boolean;
  /** Chunks of Markdown that was answered before. */
  chunksOf(
    markdown: string,
    options: RetrievalOptions,
    signal: AbortSignal,
  ): ReturnType<Page["retrievalChunks"]>;
}

export interface AnswerContext {
  /** Start of links to this service, such as `https://scrape.test`. */
  readonly linkBase: string;
  /** Team that owns the linked files. */
  readonly teamId: string;
  /** Deadline of the answer. Undefined when no model may be asked. */
  readonly deadlineMs?: number;
  /** Judges addresses before formats fetch from them. Undefined when every address is allowed. */
  readonly judge?: FormatTools["judge"];
  readonly signal: AbortSignal;
  readonly documents: DocumentTools;
  /**
   * Records stage times. If several callers wait for one answer, only the first caller's stages record it.
   */
  readonly stages?: Stages;
}

/** Maximum total size of the answers that are remembered, and of their captures. */
const REMEMBERED_BYTES = 4 * 1024 * 1024;

export function openAnswers(makers: Makers): Answers {
  const remembered = new LRUCache<string, Answer>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: ({ sizeBytes }) => sizeBytes,
  });
  const making = new SingleFlight<Answer>();
  /** Another version may read pages better. */
  const reader = [readVersion(), makers.askFor !== undefined];
  // An answer made by rules, because no model may see the page, must not be served to other requests.
  const storedName = (
    { captureId, capture: { lacks } }: Pick<AnswerSource, "captureId" | "capture">,
    { recipe }: NamedRecipe,
    teamId: string,
  ) => {
    if (captureId === undefined) return undefined;
    return stableHash([captureId, lacks ?? [], recipe, teamId, reader]);
  };
  const keyOf = (captureId: string, { recipe }: NamedRecipe, mayAsk: boolean) =>
    captureId + (makers.askFor !== undefined && mayAsk ? "" : " by rules ") + recipe;
  return {
    expectPage: () => makers.pages.expectPage(),
    letGo: () => remembered.clear(),
    async make({ capture, captureId, how, isStored }, { signal, ...context }) {
      const asked = { capture: asAsked(capture, how), captureId };
      const make = async (shared: AbortSignal) => {
        const name = isStored && !isMadeAnew(how) ? storedName(asked, how, context.teamId) : undefined;
        const stored = name === undefined ? undefined : await makers.records.answerMadeFrom(name);
        if (stored) return restoreAnswer(asked.capture, stored);
        return makeAnswer(asked, how, makers, { ...context, signal: shared });
      };
      if (captureId === undefined || isMadeAnew(how)) return make(signal);
      const key = keyOf(captureId, how, context.deadlineMs !== undefined);
      const known = remembered.get(key);
      if (known) return known;
      const made = await making.join(key, signal, make);
      // After a model failure, the next request asks again.
      if (!made.isMakeshift) remembered.set(key, made);
      return made;
    },
    get asksModel() {
      return makers.askFor !== undefined;
    },
    nameOf(answer, { how, ...source }, teamId) {
      const isByPage = answer.isReusable && !isMadeAnew(how);
      return isByPage ? storedName(source, how, teamId) : undefined;
    },
    chunksOf(markdown, options, signal) {
      const source = { capture: markdownCapture(markdown, options.url), file: MARKDOWN, options: AS_IT_IS };
      return makers.pages.open(source, signal).page.retrievalChunks(options);
    },
    cached: (captureId, how, mayAsk) => remembered.get(keyOf(captureId, how, mayAsk)),
  };
}

const MARKDOWN = { kind: "text", mimeType: "text/markdown" };
const AS_IT_IS: PageOptions = {
  onlyMainContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: false,
  removesConsent: false,
  parsers: [],
  languages: [],
  acceptsAnyFile: false,
};

function markdownCapture(markdown: string, url: string): Capture {
  return {
    requestedUrl: url,
    url,
    statusCode: 200,
    reason: "OK",
    headers: {},
    contentType: "text/markdown; charset=utf-8",
    body: Buffer.from(markdown),
    engine: "given",
    proxyUsed: "basic",
    capturedAtMs: 0,
  };
}

interface Makers extends FormatServices {
  readonly records: Pick<Records, "answerMadeFrom">;
  /** Stored captures by their names. */
  readonly captures: Pick<PageCache, "load">;
  readonly pages: Pages;
  readonly files: Files;
  /** Undefined while the operator has set no language model. */
  readonly askFor?: AskFor | undefined;
}

/**
 * Answers with files are not remembered, because files belong to one team and their links expire before the
 * capture. Neither are answers that depend on more than the capture.
 */
function isMadeAnew({ formats }: Recipe): boolean {
  return formats.some(({ name, options }) => {
    const { retention, cacheUse } = formatNamed(name);
    return retention?.keepsFile === true || cacheUse?.(options) === "written";
  });
}

/** The answer of an earlier scrape, without its facts. */
async function restoreAnswer(capture: Capture, { bytes, outline }: MadeAnswer): Promise<Answer> {
  const data = (await decodeMembers(await decodeInTurns(bytes))) as unknown as ScrapeData;
  const { metadata, ...fields } = data;
  return new Answer({
    capture,
    file: { kind: "", mimeType: metadata.contentType ?? "" },
    outline,
    timings: new Map(),
    produced: {
      fields,
      pageMetadata: metadata,
      pageCounts: undefined,
      answeredBy: metadata.answeredBy ?? [],
      byModel: new Set(),
      warnings: metadata.warnings ?? [],
      isPartial: metadata.partial === true,
      isForNothing: false,
    },
  });
}

/** A copy may lack features that only its own visit asked for. Those do not matter to this request. */
function asAsked(capture: Capture, { visit }: Recipe): Capture {
  const lacks = capture.lacks?.filter((name) => visit?.browserFeatures.includes(name));
  return lacks ? { ...capture, lacks } : capture;
}

async function makeAnswer(
  { capture, captureId }: { readonly capture: Capture; readonly captureId: string | undefined },
  { page: options, formats, warnings = [], notes = [], wantsActions, checksInjection, wantsOutline }: Recipe,
  { pages, files, captures, askFor, ...services }: Makers,
  { linkBase, teamId, judge, deadlineMs, signal, stages, ...context }: AnswerContext,
): Promise<Answer> {
  const documents = stages ? measured(context.documents, stages) : context.documents;
  const file = capture.file ?? (await detectFile(capture.body, capture.contentType, capture.url));
  refuseUnreadable(file, options);
  const model = deadlineMs === undefined ? undefined : askFor?.({ teamId, deadlineMs, signal, stages });
  const openWith = (how: PageOptions, of = { capture, file }) =>
    pages.open({ ...of, options: how }, signal, documents, stages);
  const redaction = await redactionOf(openWith, options, model);
  const redacted = { ...options, ...redaction.options };
  const cleaning =
    options.onlyCleanContent === true ? await cleaningOf(openWith, redacted, model) : undefined;
  const reads = { ...redacted, ...(cleaning?.lines && { leftOutLines: cleaning.lines }) };
  const { page, timings } = openWith(reads);
  const reading: PageReading = {
    captureId,
    name: stableHash(options),
    async again(earlierId) {
      const earlier = await captures.load(earlierId);
      if (!earlier) return undefined;
      const ofEarlier = await detectFile(earlier.body, earlier.contentType, earlier.url);
      return openWith(reads, { capture: earlier, file: ofEarlier }).page.markdown();
    },
  };
  const keptSinceMs = captureId === undefined ? undefined : uuidTimeMs(captureId);
  const save = (content: FileContent, lifeMs: number) => files.link(content, lifeMs, teamId, keptSinceMs);
  const link = async (content: FileContent, lifeMs: number = limits.keptMs.files) =>
    linkBase + (await (stages ? stages.time("files", () => save(content, lifeMs)) : save(content, lifeMs)));
  const check = checksInjection === true ? await checkInjection(page, model) : undefined;
  const said = [...warnings, ...notes, check?.warning ?? [], redaction.warning ?? []].flat();
  const produced = await produceFormats(
    page,
    {
      formats,
      warnings: said,
      leftOut: warnings,
      lastWarning: cleaning?.warning,
      wantsActions,
      matter: matterOf(file, options),
      options,
    },
    { ...services, teamId, judge, link, model, reading, signal },
  );
  const outline = wantsOutline === true ? await page.outline() : undefined;
  return new Answer({
    capture,
    file,
    outline,
    produced,
    isModelAsked: model?.isAsked === true,
    isMakeshift: model?.hasFailed === true,
    timings,
    isInjectionChecked: check?.isChecked === true,
  });
}

/**
 * Measures documents as a stage. They are read in processes of their own, and their OCR is a stage within.
 */
function measured(documents: DocumentTools, stages: Stages): DocumentTools {
  return {
    readPdf: (...order) => stages.time("document", () => documents.readPdf(...order)),
    readOffice: (...order) => stages.time("document", () => documents.readOffice(...order)),
    readPicture: (...order) => stages.time("document", () => documents.readPicture(...order)),
  };
}

const REDACTED_BY_RULES = "Personal data was detected without a language model.";

/** Asks a model for more personal data, in aggressive mode and when there is a model. */
async function redactionOf(
  openWith: (how: PageOptions) => ReturnType<Pages["open"]>,
  { redaction, ...options }: PageOptions,
  model: Ask | undefined,
): Promise<{ readonly options: Pick<PageOptions, "redaction">; readonly warning?: string }> {
  if (!redaction || redaction.mode !== "aggressive" || !model)
    return { options: redaction ? { redaction } : {} };
  const { page } = openWith({ ...options, redaction, onlyCleanContent: false });
  const { also, isAnswered } = await findMorePersonalData(page, redaction, model);
  return {
    options: { redaction: { ...redaction, also } },
    ...(!isAnswered && { warning: REDACTED_BY_RULES }),
  };
}

/** Plans the cleaning from the Markdown before it is cleaned. */
async function cleaningOf(
  openWith: (how: PageOptions) => ReturnType<Pages["open"]>,
  options: PageOptions,
  model: Ask | undefined,
): Promise<Cleaning> {
  const { page } = openWith({ ...options, onlyCleanContent: false });
  return planCleaning(await page.markdown(), model);
}

/** Credits for a page that the check refuses (contract, section 3.14). */
const REFUSED_CREDITS = 5;

const TOO_LONG =
  "The prompt injection check was skipped because the page has more than 2000000 characters of text.";

/** Whether the page passed the check. The warning says why a check was impossible, which costs nothing. */
interface InjectionCheck {
  readonly isChecked: boolean;
  readonly warning: string | undefined;
}

const Reply = z.object({ steers: z.boolean() });

/**
 * Looks for prompt injection on a page by rules. Where those are in doubt, a model decides, if there is one.
 * @throws ServiceError SCRAPE_PROMPT_INJECTION_DETECTED; the signal's reason, once that is aborted.
 */
async function checkInjection(page: Page, model: Ask | undefined): Promise<InjectionCheck> {
  const verdict = await page.injection();
  if (!verdict) return { isChecked: false, warning: TOO_LONG };
  const isInjection = verdict.isInjection || (verdict.isDoubtful && (await secondOpinion(page, model)));
  if (isInjection)
    throw new ServiceError("SCRAPE_PROMPT_INJECTION_DETECTED", { creditsUsed: REFUSED_CREDITS });
  return { isChecked: true, warning: undefined };
}

/** Without an answer of a model the verdict of the rules stands. */
async function secondOpinion(page: Page, model: Ask | undefined): Promise<boolean> {
  if (!model) return false;
  const { lines } = await page.reading(model.maxTokens);
  const text = lines.map((line) => line.text).join("\n");
  const answered = await model.ask({
    key: ["injection", text],
    ...injectionPrompt(text),
    check: checkReply,
  });
  return answered?.answer === "true";
}

function checkReply(value: unknown): Checked<string> {
  const reply = Reply.safeParse(value).data;
  return reply ? { answer: String(reply.steers) } : { problem: "The field `steers` is missing." };
}
