import type { Command } from "commander";

import type { Program } from "./program.ts";
import { progressLine } from "./progress-line.ts";

interface BackupOptions {
  readonly withFiles: boolean;
}

export function addBackupCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("backup")
    .description("Write database, keys and profiles into one file. The service may run meanwhile.")
    .argument("<file>", "a tar archive that is made; it must not exist")
    .option("--with-files", "cached pages, answers and screenshots too", false)
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
    files.includes("secret.key") ? "It holds the key of saved profiles: keep it as you keep passwords." : "",
    config.stores.secretKeys.length > 0
      ? "SECRET_KEY is not in it. Without it saved profiles are lost: keep it too."
      : "",
    withFiles ? "" : "Cached pages, answers and screenshots are not in it; --with-files adds them.",
    "Settings (.env) are not in it. It is restored by: pergamon restore FILE",
  ];
  return lines
    .filter(Boolean)
    .map((line) => `${line}\n`)
    .join("");
}
