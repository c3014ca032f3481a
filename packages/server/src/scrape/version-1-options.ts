import { z } from "zod";

import { ownProperty } from "@pergamon-dev/kit/own-property";

/** Options of version 1 or version 2, before they are validated. */
export type LooseOptions = Readonly<Record<string, unknown>>;

const DEFAULTS = { maxAge: 0, timeout: 30_000, skipTlsVerification: false } as const;

/** Format names of version 1 → formats of version 2. Some options stand outside of the list. */
const FORMATS: Readonly<Record<string, (options: LooseOptions) => unknown>> = {
  content: () => "markdown",
  "screenshot@fullPage": () => ({ type: "screenshot", fullPage: true }),
  json: ({ jsonOptions }) => jsonFormat(jsonOptions, "jsonOptions"),
  extract: ({ extract }) => jsonFormat(extract, "extract"),
  changeTracking: ({ changeTrackingOptions }) => ({
    ...looseObject(changeTrackingOptions),
    type: "changeTracking",
    hasDiffObject: true,
  }),
};

/**
 * Fields of version 1 alone. Those of formats are read with the formats. `agent` and `geolocation` have no
 * effect.
 */
const OLDER_FIELDS = [
  "formats",
  "jsonOptions",
  "extract",
  "changeTrackingOptions",
  "parsePDF",
  "agent",
  "geolocation",
];

/** Fields of version 2 that version 1 does not know. */
const NEWER_FIELDS = ["domainTools", "toolDetail", "alexandria"] as const;

/**
 * Converts scrape options of version 1 to version 2 (contract of the families, section 12). Version 2 reports
 * invalid values.
 * @throws ZodError for fields of version 2 alone, and for formats whose options are missing.
 */
export function version2OptionsOf(body: LooseOptions): LooseOptions {
  const newer = NEWER_FIELDS.filter((name) => Object.hasOwn(body, name));
  if (newer.length > 0) throw unknownFields(newer);
  const { parsePDF, formats } = body;
  return {
    ...DEFAULTS,
    ...withoutOptions(body, OLDER_FIELDS),
    ...(parsePDF === false && { parsers: [] }),
    ...(formats !== undefined && { formats: formatsOf(formats, body) }),
  };
}

/** Whether the result of the `json` format is answered as `extract`. */
export function asksForExtract({ formats }: LooseOptions): boolean {
  return Array.isArray(formats) && formats.includes("extract");
}

function formatsOf(formats: unknown, body: LooseOptions): unknown {
  if (!Array.isArray(formats)) return formats;
  if (formats.includes("json") && formats.includes("extract")) {
    throw custom(["formats"], "json and extract are the same format. Name one of them.");
  }
  return formats.map((format: unknown) => {
    const translate = typeof format === "string" ? ownProperty(FORMATS, format) : undefined;
    return translate ? translate(body) : format;
  });
}

function jsonFormat(given: unknown, field: string): object {
  if (given === undefined) {
    throw custom(
      [field],
      "When 'extract' or 'json' format is specified, corresponding options must be provided",
    );
  }
  const options = looseObject(given);
  const prompts = [options["systemPrompt"], options["prompt"]].filter(
    (text) => text !== undefined && text !== "",
  );
  const others = withoutOptions(options, ["systemPrompt", "prompt", "agent"]);
  return { ...others, type: "json", ...(prompts.length > 0 && { prompt: prompts.join("\n\n") }) };
}

function looseObject(value: unknown): LooseOptions {
  return typeof value === "object" && value !== null ? (value as LooseOptions) : {};
}

/** The options that are set, without those of these names. */
export function withoutOptions(options: LooseOptions, names: readonly string[]): LooseOptions {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => value !== undefined && !names.includes(name)),
  );
}

function custom(path: readonly string[], message: string): z.ZodError {
  return new z.ZodError([{ code: "custom", path: [...path], message, input: undefined }]);
}

function unknownFields(keys: readonly string[]): z.ZodError {
  const message = `Unrecognized keys: ${keys.join(", ")}`;
  return new z.ZodError([{ code: "unrecognized_keys", keys: [...keys], path: [], message, input: {} }]);
}
