import type { Command } from "commander";

import type { Program } from "../../cli/program.ts";
import { progressLine } from "../../cli/progress-line.ts";

interface BackupOptions {
  readonly withFiles: boolean;
}

export function addBackupCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("backup")
    .description("Back up database, keys and profiles to one file. The service can keep running.")
    .argument("<file>", "path of the tar archive to create; the file must not exist")
    .option(
      "--with-files",
      "include cached pages, responses, screenshots and the index of their search",
      false,
    )
    .action(async (file: string, { withFiles }: BackupOptions) => {
      const program = createProgram();
      const progress = progressLine();
      const onProgress = (step: string) => progress.show(step);
      const made = await program.backup({ file, withFiles, onProgress }).finally(() => progress.end());
      const size = (made.sizeBytes / 1_000_000).toFixed(1);
      process.stdout.write(`${file}: ${size} MB with ${made.files.join(", ")} and ${made.blobs} blobs.\n`);
      process.stderr.write(made.warnings.map((warning) => `${warning}\n`).join(""));
      process.stderr.write(adviceOf(program, made.files, withFiles));
    });
}

function adviceOf({ config }: Program, files: readonly string[], withFiles: boolean): string {
  const lines = [
    files.includes("secret.key")
      ? "The backup contains the key of saved profiles. Store it as securely as passwords."
      : "",
    config.stores.secretKeys.length > 0
      ? "The backup does not contain SECRET_KEY. Saved profiles are lost without it, so keep it too."
      : "",
    withFiles
      ? ""
      : "The backup contains small cached pages alone, and no large ones, responses, screenshots and no index of their search. To include them, add --with-files.",
    "The backup does not contain the settings (.env). To restore it, run: pergamon restore FILE",
  ];
  return lines
    .filter(Boolean)
    .map((line) => `${line}\n`)
    .join("");
}
