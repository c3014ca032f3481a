import type { Command } from "commander";

import { describeFormatOptions } from "../scrape/command/chosen-formats.ts";
import { filesIn } from "../scrape/command/local-files.ts";
import { describeFileOptions, readJson } from "../scrape/command/request-options.ts";
import type { Program } from "../cli/program.ts";
import { scrapeAll, type ScrapeOptions } from "../scrape/command/command.ts";

export function addParseCommand(cli: Command, createProgram: () => Program): void {
  const command = cli
    .command("parse")
    .description("Print the content of files, as Markdown by default.")
    .argument("<file...>", "documents, pages and pictures, or folders of them")
    .option("-o, --output <path>", "Write to this file, or to files in this folder.")
    .option("--json", "Print the whole response as JSON.");
  for (const option of [...describeFormatOptions(), ...describeFileOptions()]) command.addOption(option);
  command
    .option("--request <file>", "Further options, as a file of JSON.", readJson)
    .action((paths: readonly string[], options: ScrapeOptions) =>
      scrapeAll(filesIn(paths), options, createProgram()),
    );
}
