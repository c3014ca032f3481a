import type { Command } from "commander";

import type { Program } from "./program.ts";

/** Events read at a time. */
const BATCH = 1000;

export function addAuditCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("audit")
    .description("Print the audit log as JSON Lines, oldest first.")
    .option("--team <teamId>", "only events of this team")
    .action(async ({ team }: { readonly team?: string }) => {
      await createProgram().administer(async (administration) => {
        let afterId: string | undefined;
        for (;;) {
          const lines = await administration.audit({ teamId: team, afterId, count: BATCH });
          process.stdout.write(lines.map(({ text }) => `${text}\n`).join(""));
          afterId = lines.at(-1)?.id;
          if (lines.length < BATCH) return;
        }
      });
    });
}
