import type { decodeBody } from "@pergamon-dev/html/parser/decode";
import { defineKind, type Kind } from "./kind.ts";
import { readerIn } from "./reader-in.ts";

/**
 * Types of text that become a code block of a language. Other text is Markdown already (contract, section
 * 3.16e).
 */
const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ["application/json", "json"],
  ["text/json", "json"],
  ["application/xml", "xml"],
  ["text/xml", "xml"],
  ["image/svg+xml", "xml"],
  ["application/javascript", "javascript"],
  ["application/x-javascript", "javascript"],
  ["text/javascript", "javascript"],
  ["text/css", "css"],
]);

const VERBATIM = [
  "text/plain",
  "text/markdown",
  "text/x-markdown",
  "application/x-ndjson",
  "application/yaml",
  "application/x-yaml",
  "application/toml",
];

/** Text that is no page: data, code, Markdown, and plain text. */
export const text = defineKind({
  name: "text",
  recognisedBy: {
    types: [...LANGUAGES.keys(), ...VERBATIM],
    family: /\+json$|\+xml$|^text\//,
    opening: { pattern: /^<\?xml/, type: "application/xml" },
    isBinary: false,
  },
  inBrowser: "shown",
  read: readerIn(async () => textReader((await import("@pergamon-dev/html/parser/decode")).decodeBody)),
});

function textReader(decode: typeof decodeBody): Kind["read"] {
  return ({ body, contentType, mimeType }, { stage }) => {
    const decoded = stage("decode", () => decode(body, contentType));
    const language = LANGUAGES.get(mimeType) ?? /\+(json|xml)$/.exec(mimeType)?.[1];
    return {
      markdown: () => (language === undefined ? decoded() : codeBlock(decoded(), language)),
      html: decoded,
      rawHtml: decoded,
      ...(language === "json" && { jsonText: decoded }),
    };
  };
}

/** A fenced code block. Its fence is longer than any run of backticks in the code. */
export function codeBlock(code: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestBacktickRun(code) + 1));
  return `${fence}${language}\n${code.replace(/\n$/, "")}\n${fence}`;
}

function longestBacktickRun(code: string): number {
  let longest = 0;
  for (const run of code.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}
