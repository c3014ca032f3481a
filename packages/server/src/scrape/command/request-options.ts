import { readFileSync } from "node:fs";

import { InvalidArgumentError, Option } from "commander";
import { z } from "zod";

import { ownProperty } from "@pergamon-dev/kit/own-property";
import { scrapeRequestSchema } from "../request/schema.ts";

const fields = scrapeRequestSchema(() => true).shape;

/** Turns the text on the command line into the value of a field. */
type Read = (option: Option) => Option;

interface RequestOption {
  readonly flags: string;
  /** Field of the request. The option takes its description and its choices. */
  readonly field: keyof typeof fields;
  readonly read: Read;
  /** Set when the option says the contrary of the field. */
  readonly description?: string;
}

/** Request fields that have an option of their own, one line each, in the order of the help. */
const requestOptions: readonly RequestOption[] = [
  {
    flags: "--full-page",
    field: "onlyMainContent",
    read: flag(false),
    description: "Keep navigation, headers, footers and similar elements.",
  },
  { flags: "--include <selector>", field: "includeTags", read: listed },
  { flags: "--exclude <selector>", field: "excludeTags", read: listed },
  { flags: "--wait-for <milliseconds>", field: "waitFor", read: number },
  { flags: "--timeout <milliseconds>", field: "timeout", read: number },
  { flags: "--header <line>", field: "headers", read: headerLines },
  { flags: "--mobile", field: "mobile", read: flag(true) },
  { flags: "--actions <file>", field: "actions", read: jsonFile },
  { flags: "--profile <name>", field: "profile", read: memberOf("name") },
  { flags: "--country <code>", field: "location", read: memberOf("country") },
  { flags: "--proxy <tier>", field: "proxy", read: choice },
  { flags: "--max-age <milliseconds>", field: "maxAge", read: number },
  { flags: "--min-age <milliseconds>", field: "minAge", read: number },
  { flags: "--lockdown", field: "lockdown", read: flag(true) },
  { flags: "--fast", field: "fastMode", read: flag(true) },
  { flags: "--zero-data-retention", field: "zeroDataRetention", read: flag(true) },
  {
    flags: "--verify-tls",
    field: "skipTlsVerification",
    read: flag(false),
    description: "Reject invalid TLS certificates.",
  },
  {
    flags: "--keep-ads",
    field: "blockAds",
    read: flag(false),
    description: "Do not block advertisements and cookie banners.",
  },
];

/** Fields that also apply to local files. */
const FILE_FIELDS: ReadonlySet<RequestOption["field"]> = new Set([
  "onlyMainContent",
  "includeTags",
  "excludeTags",
  "timeout",
  "zeroDataRetention",
]);

/** Options for local files. */
export function describeFileOptions(): readonly Option[] {
  return optionsFor(requestOptions.filter(({ field }) => FILE_FIELDS.has(field)));
}

/** Options with the descriptions of their fields in the request schema. */
export function describeRequestOptions(): readonly Option[] {
  return optionsFor(requestOptions);
}

function optionsFor(options: readonly RequestOption[]): readonly Option[] {
  return options.map(({ flags, field, read, description }) =>
    read(new Option(flags, description ?? sentenceOf(field))),
  );
}

/** Returns the request fields of the parsed options. */
export function requestFields(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    requestOptions.flatMap(({ flags, field }) => {
      const value = ownProperty(given, new Option(flags).attributeName());
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

/** Reads a JSON file. @throws InvalidArgumentError, which commander reports with the name of the option. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (failure) {
    throw new InvalidArgumentError(
      `${path} is not a valid JSON file: ${failure instanceof Error ? failure.message : String(failure)}`,
    );
  }
}

function sentenceOf(field: RequestOption["field"]): string {
  return fields[field].description ?? "";
}

function flag(value: boolean): Read {
  return (option) => option.preset(value);
}

function number(option: Option): Option {
  return option.argParser((text: string) => {
    if (/^\d{1,15}$/.test(text)) return Number(text);
    throw new InvalidArgumentError("Expected a whole number.");
  });
}

/** Lets the option be given several times. */
function listed(option: Option): Option {
  option.description += " Repeatable.";
  return option.argParser((text: string, earlier: readonly string[] | undefined) => [
    ...(earlier ?? []),
    text,
  ]);
}

function headerLines(option: Option): Option {
  option.description += ' Such as "Accept-Language: de". Repeatable.';
  return option.argParser((line: string, earlier: Readonly<Record<string, string>> | undefined) => {
    const colon = line.indexOf(":");
    if (colon < 1) throw new InvalidArgumentError('Expected a header of the form "Name: value".');
    return { ...earlier, [line.slice(0, colon).trim()]: line.slice(colon + 1).trim() };
  });
}

function jsonFile(option: Option): Option {
  option.description += " As a JSON file.";
  return option.argParser(readJson);
}

function memberOf(name: string): Read {
  return (option) => option.argParser((text: string) => ({ [name]: text }));
}

function choice(option: Option): Option {
  const { enum: words = [] } = z.toJSONSchema(fields.proxy, { io: "input", unrepresentable: "any" });
  return option.choices(words.map(String));
}
