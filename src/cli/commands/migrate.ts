import type { Command } from "commander";

import type { Program } from "./program.ts";

export function addMigrateCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("migrate")
    .description("Migrate the database to the current version.")
    .action(async () => {
      await createProgram().migrate();
      process.stdout.write("The database is up to date.\n");
    });
}
