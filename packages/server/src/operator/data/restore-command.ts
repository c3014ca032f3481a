import type { Command } from "commander";

import type { Program } from "../../cli/program.ts";
import { progressLine } from "../../cli/progress-line.ts";

interface RestoreOptions {
  readonly replace: boolean;
  readonly unverified: boolean;
}

export function addRestoreCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("restore")
    .description("Restore a backup. Stop the service first.")
    .argument("<file>", "file created by backup")
    .option("--replace", "move existing data to a folder next to it first", false)
    .option("--unverified", "accept a backup of an older version that does not list its contents", false)
    .action(async (file: string, { replace, unverified }: RestoreOptions) => {
      const progress = progressLine();
      const onProgress = (step: string) => progress.show(step);
      const { madeAt, blobs, isVerified, putAside } = await createProgram()
        .restore({ file, replace, unverified, onProgress })
        .finally(() => progress.end());
      process.stdout.write(`Restored the backup from ${madeAt}, with ${blobs} blobs.\n`);
      if (!isVerified) {
        process.stderr.write(
          "NOT VERIFIED: an older version created this backup. Profiles or files may be missing or damaged.\n",
        );
      }
      if (putAside) {
        process.stdout.write(
          `The previous data is in ${putAside}. Delete that folder when everything works.\n`,
        );
      }
    });
}
