import { readFileSync } from "node:fs";

import type { Command } from "commander";

import {
  chosenFormats,
  describeFormatOptions,
  type FormatOptions,
  formatNames,
  requestedFormats,
} from "../scrape/command/chosen-formats.ts";
import { describeRequestOptions, readJson, requestFields } from "../scrape/command/request-options.ts";
import { followJob } from "../jobs/command/follow-job.ts";
import type { Program, Runner } from "../cli/program.ts";

interface BatchOptions extends FormatOptions {
  readonly output?: string;
  readonly keepErrors?: boolean;
  readonly resume?: string;
  readonly cancel?: string;
}

const STANDARD_INPUT = 0;

export function addBatchCommand(cli: Command, createProgram: () => Program): void {
  const command = cli
    .command("batch")
    .description("Scrape the pages that a file lists. Prints one line of JSON for each.")
    .argument("[file]", "file with one URL per line, or - for standard input")
    .option("-o, --output <folder>", "Write files by the paths of the pages, and index.jsonl.")
    .option("--keep-errors", "Write files of pages that answered with an error, too.")
    .option("--resume <id>", "Continue a batch that was stopped. Prints all of its pages.")
    .option("--cancel <id>", "Cancel a batch that was stopped.");
  for (const option of [...describeFormatOptions(), ...describeRequestOptions()]) command.addOption(option);
  command
    .option("--request <file>", "JSON file with additional fields of the request.", readJson)
    .action((file: string | undefined, options: BatchOptions) => runBatch(file, options, createProgram()));
}

async function runBatch(file: string | undefined, options: BatchOptions, program: Program): Promise<void> {
  const { resume, cancel, output: folder, keepErrors } = options;
  if ([file, resume, cancel].filter((one) => one !== undefined).length !== 1)
    throw new Error("Name a file with URLs, or a batch by --resume or --cancel.");
  const body = file === undefined ? undefined : bodyOf(urlsIn(file), options);
  const runner = await program.openRunner();
  try {
    if (cancel !== undefined) return await cancelBatch(runner, cancel);
    const id = resume ?? (await startBatch(runner, body ?? {}));
    const formats = body ? formatNames(body.formats) : [];
    await followJob(runner, id, { command: "batch", folder, formats, keepErrors });
  } finally {
    await runner.close();
  }
}

async function startBatch(runner: Runner, body: Readonly<Record<string, unknown>>): Promise<string> {
  const { id, accepted } = await runner.start((await import("./batch.ts")).batch, body);
  for (const text of accepted.invalidUrls ?? [])
    process.stderr.write(`Left out, as it cannot be scraped: ${text}\n`);
  return id;
}

async function cancelBatch(runner: Runner, id: string): Promise<void> {
  await runner.cancel(id);
  process.stderr.write(`The batch ${id} is cancelled.\n`);
}

/** Skips empty lines and lines that begin with #. */
function urlsIn(file: string): readonly string[] {
  const text = readFileSync(file === "-" ? STANDARD_INPUT : file, "utf8");
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const urls = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (urls.length === 0) throw new Error(`No URLs found in ${file === "-" ? "the input" : file}.`);
  return urls;
}

function bodyOf(urls: readonly string[], { request = {}, ...options }: BatchOptions) {
  const { webhook } = request as { readonly webhook?: unknown };
  if (webhook !== undefined) throw new Error("Batches started here send no webhooks. Remove webhook.");
  return {
    ...request,
    formats: requestedFormats(chosenFormats({ request, ...options })),
    ...requestFields(options),
    urls,
    origin: "cli",
  };
}
