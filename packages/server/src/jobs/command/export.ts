import { open, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";

import { type Command, Option } from "commander";

import { shareFile } from "@pergamon-dev/kit/umask";
import type { Program } from "../../cli/program.ts";

interface ExportOptions extends Readonly<Record<string, unknown>> {
  readonly output?: string;
}

export function addExportCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("export")
    .description("Write all documents, chunks or pages of a crawl or batch as one file.")
    .argument("<id>", "id of the crawl or batch, whose documents are kept for a day")
    .option("-o, --output <file>", "File to write. Default: standard output.")
    .addOption(new Option("--of <what>", "What to write.").choices(["documents", "chunks"]))
    .addOption(
      new Option("--as <type>", "Type of the file; WARC has whole pages.").choices([
        "jsonl",
        "parquet",
        "warc",
      ]),
    )
    .option("--max-tokens <count>", "Maximum size of a chunk. Default: 512.")
    .action((id: string, options: ExportOptions) => writeExport(id, options, createProgram()));
}

async function writeExport(
  id: string,
  { output, ...options }: ExportOptions,
  program: Program,
): Promise<void> {
  const { ExportOrder } = await import("../job-exports.ts");
  const order = ExportOrder.parse(options);
  const runner = await program.openRunner();
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once("SIGINT", interrupt);
  try {
    const content = await runner.export(id, order, stop.signal);
    if (output === undefined) await pipeline(content, process.stdout, { end: false });
    else {
      const file = await open(output, "wx");
      await pipeline(content, file.createWriteStream()).catch(async (failure: unknown) => {
        // A part of a file could pass for the whole.
        await rm(output);
        throw failure;
      });
      shareFile(output);
    }
  } finally {
    process.off("SIGINT", interrupt);
    await runner.close();
  }
}
