import type { Command } from "commander";

import type { Program } from "./program.ts";
import { progressLine } from "./progress-line.ts";

interface RestoreOptions {
  readonly replace: boolean;
}

export function addRestoreCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("restore")
    .description("Put a backup in place. The service has to be stopped.")
    .argument("<file>", "what backup has made")
    .option("--replace", "put what is there aside, into a folder beside it", false)
    .action(async (file: string, { replace }: RestoreOptions) => {
      const progress = progressLine();
      const onProgress = (step: string) => progress.show(step);
      const { madeAt, blobs, putAside } = await createProgram()
        .restore({ file, replace, onProgress })
        .finally(() => progress.end());
      process.stdout.write(`Restored what was backed up at ${madeAt}, with ${blobs} blobs.\n`);
      if (putAside) {
        process.stdout.write(`What was there before is in ${putAside}. Delete it when all is well.\n`);
      }
    });
}
