import type { Command } from "commander";

import { type DoctorResult, doctorSettings, runDoctor } from "./check.ts";
import { checks } from "./checks.ts";
import { withLastUse } from "./last-use.ts";
import { printDoctor } from "./print.ts";
import type { Program } from "../../cli/program.ts";

export function addDoctorCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("doctor")
    .description(
      "Check this installation: what was found, what is missing, what does not work without it, and how to install it.",
    )
    .option("--reach <url>", "also connect to this host; the doctor contacts no other host")
    .action(async ({ reach }: { readonly reach?: string }) => {
      const { config, partStates, problem } = await createProgram().inspect();
      const found = await runDoctor(doctorSettings(config, reach), checks);
      const unread = problem === undefined ? [] : [unreadable(problem)];
      const results = [...withLastUse(found, partStates, Date.now()), ...unread];
      printDoctor(results, process.stdout);
      if (results.some(({ status }) => status === "problem")) process.exitCode = 1;
    });
}

function unreadable(detail: string): DoctorResult {
  return {
    name: "Stored settings",
    status: "problem",
    detail,
    cost: "Settings that were made in the dashboard, and how parts fared in use, are not looked at.",
    remedy: "Start the database, or correct DATABASE_URL.",
  };
}
