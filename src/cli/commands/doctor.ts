import type { Command } from "commander";

import { runDoctor } from "../../doctor/doctor.ts";
import { printDoctor } from "../../doctor/print.ts";
import { doctorSettings } from "../../doctor/settings.ts";
import type { Program } from "./program.ts";

export function addDoctorCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("doctor")
    .description(
      "Check this installation: what was found, what is missing, what does not work without it, and how to install it.",
    )
    .option("--reach <url>", "also connect to this host; the doctor contacts no other host")
    .action(async ({ reach }: { readonly reach?: string }) => {
      const results = await runDoctor(doctorSettings(createProgram().config, reach));
      printDoctor(results, process.stdout);
      if (results.some(({ status }) => status === "problem")) process.exitCode = 1;
    });
}
