import { InvalidArgumentError, Option } from "commander";

import * as builtFormats from "../formats/all.ts";
import { readJson } from "./request-options.ts";
import type { FormatTable } from "../formats/format.ts";
import { bareFormats } from "../request/formats.ts";

export interface FormatOptions extends Readonly<Record<string, unknown>> {
  readonly format?: readonly string[];
  /** Further fields of the request. */
  readonly request?: object;
}

/**
 * `--format` names formats without options, separated by commas or repeated. Other formats have their own
 * options.
 */
export function describeFormatOptions(): readonly Option[] {
  return [
    formatOption(builtFormats),
    new Option("--question <text>", "Answer this question from the page."),
    new Option("--highlights <query>", "Print the lines of the page that are relevant to this query."),
    new Option("--prompt <text>", "Extract the data that this prompt describes, as JSON."),
    new Option("--schema <file>", "Extract the data that the JSON Schema in this file describes.").argParser(
      readJson,
    ),
  ];
}

/** Formats that the options name. */
export function namedFormats(options: FormatOptions): readonly unknown[] {
  const { format = [], question, highlights, prompt, schema } = options;
  return [
    ...format,
    ...(question === undefined ? [] : [{ type: "question", question }]),
    ...(highlights === undefined ? [] : [{ type: "highlights", query: highlights }]),
    ...(prompt === undefined && schema === undefined ? [] : [{ type: "json", prompt, schema }]),
  ];
}

/** Wanted formats: those of the options, else those of the request file, else Markdown. */
export function chosenFormats(options: FormatOptions): readonly unknown[] {
  const { request = {} } = options;
  const named = namedFormats(options);
  if (named.length > 0) return named;
  // A single format counts as a list. The service refuses values that are not formats.
  return "formats" in request ? [request.formats].flat() : ["markdown"];
}

/** Formats for the request. Change tracking works on the Markdown, so the request must name that, too. */
export function requestedFormats(chosen: readonly unknown[]): readonly unknown[] {
  const names = formatNames(chosen);
  const lacksMarkdown = names.includes("changeTracking") && !names.includes("markdown");
  return lacksMarkdown ? [...chosen, "markdown"] : chosen;
}

/** Names of formats, each of which is a name or an object with options. */
export function formatNames(formats: readonly unknown[]): readonly string[] {
  return formats.map((format) =>
    typeof format === "object" && format !== null && "type" in format ? String(format.type) : String(format),
  );
}

/** Help for formats that need options. */
const OTHERS = "Others have options: --question, --highlights, --prompt, --schema, or a file by --request.";

/** Chooses among the formats that need no options, separated by commas or repeated. */
export function formatOption(formats: FormatTable): Option {
  const names = [...bareFormats(formats).keys()];
  const option = new Option("-f, --format <names>", "Comma-separated formats.").choices(names);
  option.argParser((text: string, earlier: unknown) => {
    const wanted = text.split(",").map((name) => name.trim());
    if (wanted.every((name) => names.includes(name))) return [...namesIn(earlier), ...wanted];
    throw new InvalidArgumentError(`Allowed choices are ${names.join(", ")}. ${OTHERS}`);
  });
  return option;
}

/** Names from earlier uses of the same option. */
function namesIn(earlier: unknown): readonly string[] {
  return Array.isArray(earlier) ? earlier.map(String) : [];
}
