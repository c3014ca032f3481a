import type { Command } from "commander";

import type { Program } from "../program.ts";

export function addDashboardCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("dashboard")
    .description("Create a login link for the dashboard. It works once, within 10 minutes.")
    .action(async () => {
      const program = createProgram();
      if (!program.config.server.hasDashboard) {
        throw new Error("The dashboard is off. Set DASHBOARD=on, and restart the service.");
      }
      process.stdout.write(`${await program.makeLoginLink()}\n`);
    });
}
