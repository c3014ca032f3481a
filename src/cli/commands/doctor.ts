import type { Command } from "commander";

import { runDoctor } from "../../doctor/doctor.ts";
import { printDoctor } from "../../doctor/print.ts";
import { doctorSettings } from "../../doctor/settings.ts";
import type { Program } from "./program.ts";

export function addDoctorCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("doctor")
    .description("Show what was found, what is missing, what that costs and how to get it.")
    .option("--reach <url>", "also connect to this host; no other is ever contacted")
    .action(async ({ reach }: { readonly reach?: string }) => {
      const results = await runDoctor(doctorSettings(createProgram().config, reach));
      printDoctor(results, process.stdout);
      if (results.some(({ status }) => status === "problem")) process.exitCode = 1;
    });
}
