import { z } from "zod";
import { boundedRecord } from "../../api/bounded-record.ts";
import { limits } from "../../api/limits.ts";
import { DIFF_CUT, diffFiles, shortenedDiff } from "../diff/diff-files.ts";
import type { Page } from "../page/page.ts";
import type { HistoryName, PageVersion } from "../diff/page-versions.ts";
import { NO_RETENTION } from "./coverage.ts";
import { defineFormat, type FormatTools } from "./format.ts";
import type { JsonRequest } from "@pergamon-dev/facts/extraction/extract-json";
import { hintedPart } from "@pergamon-dev/facts/extraction/hints";
import { readSchema } from "@pergamon-dev/facts/extraction/schema/read-schema";
import { isJsonObject, type JsonObject } from "@pergamon-dev/kit/json";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { jsonByModel } from "./json-by-model.ts";
import { MAX_CHUNKS, wordsOfRequest } from "./json-either-way.ts";
import { chunkLimits } from "./long-page.ts";

const FAILED = "Structured diff generation failed.";
const BY_RULES = "Change tracking JSON was made without a language model.";

const NO_ELEMENTS =
  "The hints of the schema have no effect on change tracking, which reads the Markdown of two versions.";

const NOT_FOUND = 404;
const MAX_MODES = 10;

const ChangeTracking = z
  .strictObject({
    previousScrapeAt: z.iso
      .datetime()
      .nullable()
      .describe("When the team last tracked this URL with this tag."),
    changeStatus: z.enum(["new", "same", "changed", "removed"]),
    visibility: z.enum(["visible", "hidden"]).describe("hidden: found from memory of earlier crawls."),
    diff: z
      .union([
        z.string(),
        z.strictObject({ text: z.string(), json: z.looseObject({ files: z.array(z.unknown()) }) }),
      ])
      .exactOptional()
      .describe(
        "In mode git-diff, when the page changed: a unified diff, as git diff shows it; or {text, json {files}}.",
      ),
    json: z
      .record(z.string(), z.strictObject({ previous: z.unknown(), current: z.unknown() }))
      .exactOptional()
      .describe("In mode json, when the page changed: the old and new value of each field."),
  })
  .describe("What changed since the previous scrape.");

interface TrackingOptions {
  readonly modes: readonly ("json" | "git-diff")[];
  readonly tag: string | null;
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
  readonly prompt?: string | undefined;
  readonly hasDiffObject?: boolean | undefined;
}

/** Compares the final Markdown with that of the last scrape of the same kind (contract, section 3.12). */
export const changeTracking = defineFormat({
  options: z
    .object({
      type: z.literal("changeTracking"),
      modes: z
        .array(z.enum(["json", "git-diff"]))
        .max(MAX_MODES)
        .default([]),
      tag: z.string().nullable().default(null),
      schema: boundedRecord(z.unknown()).optional(),
      prompt: z.string().max(limits.promptLength).optional(),
      hasDiffObject: z
        .boolean()
        .optional()
        .describe("Whether diff is an object. Default: what CHANGE_TRACKING_DIFF says; true in version 1."),
    })
    .describe("What changed since the previous scrape of this URL."),
  listRule: {
    message: "The changeTracking format requires the markdown format to be specified as well",
    isKept: (types) => types.includes("markdown"),
  },
  retention: { leftOut: "Change tracking is not supported with zero data retention." },
  isRedacted: true,
  answer: { changeTracking: ChangeTracking },
  model: {
    isAsked: ({ modes }) => modes.includes("json"),
    baseCredits: ({ modes }) => (modes.includes("json") ? 5 : 1),
  },
  cacheUse: () => "written",
  isInCopy: () => true,
  browser: { leastWaitForMs: 5000 },
  coverage: NO_RETENTION,
  async produce(page, options, tools) {
    if (page.capture.blocked) {
      tools.warn("Nothing was compared.");
      return {};
    }
    const name: HistoryName = { teamId: tools.teamId, url: page.capture.requestedUrl, tag: options.tag };
    const { captureId, name: reading } = tools.reading;
    const present: PageVersion = {
      text: await page.markdown(),
      scrapedAtMs: page.capture.capturedAtMs,
      source: captureId === undefined ? undefined : { captureId, reading },
    };
    const compared = await compare({ page, name, present, options }, tools);
    tools.onceMade(() => keep(name, present, tools));
    return compared ? { changeTracking: compared } : {};
  },
});

interface Tracked {
  readonly page: Page;
  readonly name: HistoryName;
  readonly present: PageVersion;
  readonly options: TrackingOptions;
}

/** Undefined, with a warning, when the earlier version is not available. */
async function compare({ page, name, present, options }: Tracked, tools: FormatTools) {
  try {
    const previous = await tools.versions.newest(name, present.scrapedAtMs);
    return {
      ...(await changeSince(previous, { page, present, options }, tools)),
      visibility: "visible" as const,
    };
  } catch {
    tools.signal.throwIfAborted();
    tools.warn("Comparing failed, please try again later.");
    return undefined;
  }
}

async function changeSince(
  previous: PageVersion | undefined,
  { page, present, options }: Omit<Tracked, "name">,
  tools: FormatTools,
) {
  const { compareVersions, signal } = tools;
  const previousScrapeAt = previous ? new Date(previous.scrapedAtMs).toISOString() : null;
  if (page.capture.statusCode === NOT_FOUND) return { previousScrapeAt, changeStatus: "removed" as const };
  if (!previous) return { previousScrapeAt, changeStatus: "new" as const };
  const wantsDiff = options.modes.includes("git-diff");
  const versions = { before: await textBefore(previous, { page, present }, tools), after: present.text };
  const { isSame, diff } = await compareVersions({ ...versions, wantsDiff }, signal);
  if (isSame) return { previousScrapeAt, changeStatus: "same" as const };
  const json = options.modes.includes("json")
    ? {
        json: await jsonChange(page, { versions, asked: options }, tools),
      }
    : {};
  return { previousScrapeAt, changeStatus: "changed" as const, ...diffOf(diff, options, tools), ...json };
}

/**
 * Text of the earlier version, read with the options of this request. Other options are no change of the
 * page.
 */
async function textBefore(
  { text, source }: PageVersion,
  { page, present }: Pick<Tracked, "page" | "present">,
  { reading }: FormatTools,
): Promise<string> {
  if (text === present.text) return text;
  const again = source && source.reading !== reading.name ? await reading.again(source.captureId) : undefined;
  // An earlier request may have kept personal data that this one has removed.
  return again ?? page.redacted(text);
}

function diffOf(
  diff: string | undefined,
  { hasDiffObject }: TrackingOptions,
  { hasDiffObjects, warn }: FormatTools,
) {
  if (diff === undefined || !(hasDiffObject ?? hasDiffObjects)) return diff === undefined ? {} : { diff };
  const text = shortenedDiff(diff);
  if (text.length < diff.length) warn(DIFF_CUT);
  return { diff: { text, json: { ...diffFiles(text) } } };
}

/** Warns when a version cannot be stored, because the next comparison then goes back further. */
async function keep(name: HistoryName, present: PageVersion, { versions, warn }: FormatTools): Promise<void> {
  await versions
    .keep(name, present)
    .catch(() => warn("This version could not be stored, so the next comparison will use an older version."));
}

interface TwoVersions {
  readonly before: string;
  readonly after: string;
}

/** A value before and after. Null when the version does not have it. */
interface ChangedValue {
  readonly previous: unknown;
  readonly current: unknown;
}

/**
 * Values for a schema in two versions of a page, by property, including unchanged ones. The same producer
 * makes both from the same kind of text, so that a change of producer never looks like a change of the page.
 */
async function jsonChange(
  page: Page,
  { versions, asked }: { readonly versions: TwoVersions; readonly asked: JsonRequest },
  tools: FormatTools,
): Promise<Readonly<Record<string, ChangedValue>>> {
  const { before, after } = versions;
  const { url } = page.capture;
  const byRules = await Promise.all([before, after].map((text) => page.jsonOfText(text, asked, url)));
  const byModel = await bothByModel(page, { versions, asked, url, hints: byRules }, tools);
  if (!byModel) tools.warn(tools.model?.isSpent === false ? `${FAILED} ${BY_RULES}` : BY_RULES);
  if (hintedPart(readSchema(asked.schema)) !== "none") tools.warn(NO_ELEMENTS);
  tools.answeredBy(byModel?.model ?? "rules");
  const [previous, current] = byModel?.values ?? byRules;
  return comparedValues(asked, previous, current);
}

interface ModelQuestion {
  readonly versions: TwoVersions;
  readonly asked: JsonRequest;
  readonly url: string;
  readonly hints: readonly unknown[];
}

/** Undefined unless a model answered for both versions. */
async function bothByModel(
  page: Page,
  { versions: { before, after }, asked, url, hints }: ModelQuestion,
  { model }: FormatTools,
) {
  if (!model) return undefined;
  const bounds = chunkLimits(model, MAX_CHUNKS / 2);
  const answers = await Promise.all(
    [before, after].map(async (text, index) => {
      const chunks = await page.chunksOfText(text, bounds, wordsOfRequest(asked));
      return jsonByModel(asked, { ...chunks, url, hint: hints[index] }, model);
    }),
  );
  const [one, other] = answers;
  return one && other ? { values: [one.value, other.value], model: other.model } : undefined;
}

function comparedValues(
  { schema }: JsonRequest,
  previous: unknown,
  current: unknown,
): Readonly<Record<string, ChangedValue>> {
  const [before, after] = [previous, current].map(membersOf);
  const named =
    isJsonObject(schema) && isJsonObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  const found = [before, after].flatMap((members) => Object.keys(members ?? {}));
  const names = named.length > 0 ? named : [...new Set(found)];
  return Object.fromEntries(
    names.map((name) => [name, { previous: memberOf(before, name), current: memberOf(after, name) }]),
  );
}

/** Returns a list as the items of an object. */
function membersOf(value: unknown): JsonObject {
  if (Array.isArray(value)) return { items: value };
  return isJsonObject(value) ? value : {};
}

function memberOf(members: JsonObject | undefined, name: string): unknown {
  return ownProperty(members ?? {}, name) ?? null;
}
