import type { Command } from "commander";
import { z } from "zod";

import type { JsonObject } from "@pergamon-dev/kit/json";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { Program, Scraper } from "../../cli/program.ts";
import { readJson } from "./request-options.ts";

const MAX_PAGES = 10;
const Examples = z
  .array(z.strictObject({ url: z.string(), values: z.record(z.string(), z.unknown()).default({}) }))
  .min(3)
  .max(MAX_PAGES);
type Example = z.output<typeof Examples>[number];

export function addSchemaCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("schema")
    .description("Make JSON Schemas whose values need no language model.")
    .command("learn")
    .description("Learn selectors from values of pages, try them on the last page, and print the schema.")
    .argument(
      "<file>",
      'JSON list of at least three pages of a site: {"url": "…", "values": {"price": 19}}. The last page may be without values.',
      readJson,
    )
    .action(async (content: unknown) => {
      const examples = Examples.safeParse(content);
      if (!examples.success) return cli.error(`error: ${z.prettifyError(examples.error)}`);
      const scraper = await createProgram().openScraper();
      try {
        if (!(await learnSchema(examples.data, scraper))) process.exitCode = 1;
      } finally {
        await scraper.close();
      }
    });
}

/** Prints the schema, and tells how it did. @returns false when a property is not learned, or differs on the last page. */
async function learnSchema(examples: readonly Example[], scraper: Scraper): Promise<boolean> {
  // Other commands need neither.
  const [{ differences, learnHints }, { parseHtml }] = await Promise.all([
    import("@pergamon-dev/facts/extraction/learn-hints"),
    import("@pergamon-dev/html/parser/parse"),
  ]);
  const { signal } = new AbortController();
  const pages = [];
  for (const { url, values } of examples.slice(0, -1)) {
    const { rawHtml = "" } = await scraper.scrape({ url, formats: ["rawHtml"] }, signal);
    pages.push({ tree: parseHtml(rawHtml), url, values });
  }
  const { schema, unlearned } = learnHints(pages);
  for (const name of unlearned) tell(`${name}: no selector gives the value of all pages, so it is left out.`);
  process.stdout.write(`${JSON.stringify(schema, undefined, 2)}\n`);
  const { url, values } = examples.at(-1) ?? { url: "", values: {} };
  const different = differences(values, await valuesOf(url, schema, scraper));
  for (const name of different) tell(`${name}: ${JSON.stringify(ownProperty(values, name))} was expected.`);
  return unlearned.length === 0 && different.length === 0;
}

/** Tells what the schema finds on a page. */
async function valuesOf(url: string, schema: JsonObject, scraper: Scraper): Promise<unknown> {
  const formats = [{ type: "json", schema }];
  const { json, warning } = await scraper.scrape({ url, formats }, new AbortController().signal);
  tell(`${url} has ${JSON.stringify(json ?? null)}.`);
  if (warning !== undefined) tell(warning);
  return json;
}

function tell(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
