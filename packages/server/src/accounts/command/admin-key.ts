import type { Command } from "commander";

import type { Program } from "../../cli/program.ts";

export function addAdminKeyCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("admin-key")
    .description(
      "Create a new operator key for /admin/api. The old key stops working when the service restarts.",
    )
    .action(async () => {
      process.stdout.write(`${await createProgram().makeAdminKey()}\n`);
      process.stderr.write("It cannot be shown again.\n");
    });
}
