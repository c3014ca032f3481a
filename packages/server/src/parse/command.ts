import type { Command } from "commander";

import { describeFormatOptions } from "../scrape/command/chosen-formats.ts";
import { filesIn } from "../scrape/command/local-files.ts";
import { describeFileOptions, readJson } from "../scrape/command/request-options.ts";
import type { Program } from "../cli/program.ts";
import { counted } from "../cli/progress-line.ts";
import { scrapeAll, type ScrapeOptions } from "../scrape/command/command.ts";

/** Files that are left out and named. */
const MAX_NAMED = 20;

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
    .action((paths: readonly string[], options: ScrapeOptions) => {
      const { files, leftOut } = filesIn(paths);
      const more = leftOut.length > MAX_NAMED ? ", …" : "";
      const names = leftOut.slice(0, MAX_NAMED).join(", ");
      if (names !== "")
        process.stderr.write(`${counted(leftOut.length, "file")} left out: ${names}${more}\n`);
      return scrapeAll([...files.keys()], options, createProgram(), files);
    });
}
