import { InvalidArgumentError, Option } from "commander";

import * as builtFormats from "../formats/all.ts";
import { readJson } from "./request-options.ts";
import type { FormatTable } from "../formats/format.ts";
import { bareFormats } from "../request/formats.ts";

/** What the options of a command say about formats. */
export interface FormatOptions extends Readonly<Record<string, unknown>> {
  readonly format?: readonly string[];
  /** Further fields of the request. */
  readonly request?: object;
}

/** Formats that need no options by `--format`, between commas or given several times; others by what they ask for. */
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

/** The formats that the options name. */
export function namedFormats(options: FormatOptions): readonly unknown[] {
  const { format = [], question, highlights, prompt, schema } = options;
  return [
    ...format,
    ...(question === undefined ? [] : [{ type: "question", question }]),
    ...(highlights === undefined ? [] : [{ type: "highlights", query: highlights }]),
    ...(prompt === undefined && schema === undefined ? [] : [{ type: "json", prompt, schema }]),
  ];
}

/** The formats whose results are wanted: those of options, else those of the file of the request, else Markdown. */
export function chosenFormats(options: FormatOptions): readonly unknown[] {
  const { request = {} } = options;
  const named = namedFormats(options);
  if (named.length > 0) return named;
  // One format is a list of it. The service refuses what is not a format.
  return "formats" in request ? [request.formats].flat() : ["markdown"];
}

/** The formats of the request: changes are found in the Markdown, which a request must name, too. */
export function requestedFormats(chosen: readonly unknown[]): readonly unknown[] {
  const names = formatNames(chosen);
  const lacksMarkdown = names.includes("changeTracking") && !names.includes("markdown");
  return lacksMarkdown ? [...chosen, "markdown"] : chosen;
}

/** Formats are names, or objects with their options. */
export function formatNames(formats: readonly unknown[]): readonly string[] {
  return formats.map((format) =>
    typeof format === "object" && format !== null && "type" in format ? String(format.type) : String(format),
  );
}

/** How formats with options are asked for. */
const OTHERS = "Others have options: --question, --highlights, --prompt, --schema, or a file by --request.";

/** Chooses among the formats that need no options. Between commas, or given several times. */
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

/** What was given before, if anything was. */
function namesIn(earlier: unknown): readonly string[] {
  return Array.isArray(earlier) ? earlier.map(String) : [];
}
