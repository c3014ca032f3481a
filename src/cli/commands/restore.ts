import type { Command } from "commander";

import type { Program } from "./program.ts";
import { progressLine } from "./progress-line.ts";

interface RestoreOptions {
  readonly replace: boolean;
  readonly unverified: boolean;
}

export function addRestoreCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("restore")
    .description("Put a backup in place. The service has to be stopped.")
    .argument("<file>", "what backup has made")
    .option("--replace", "put what is there aside, into a folder beside it", false)
    .option("--unverified", "take a backup of an older program, which does not say what is in it", false)
    .action(async (file: string, { replace, unverified }: RestoreOptions) => {
      const progress = progressLine();
      const onProgress = (step: string) => progress.show(step);
      const { madeAt, blobs, isVerified, putAside } = await createProgram()
        .restore({ file, replace, unverified, onProgress })
        .finally(() => progress.end());
      process.stdout.write(`Restored what was backed up at ${madeAt}, with ${blobs} blobs.\n`);
      if (!isVerified) {
        process.stderr.write(
          "NOT VERIFIED: an older program made this backup. Whether profiles or files of it are missing or damaged is unknown.\n",
        );
      }
      if (putAside) {
        process.stdout.write(`What was there before is in ${putAside}. Delete it when all is well.\n`);
      }
    });
}
