import { setImmediate as nextTurn } from "node:timers/promises";

import { Command } from "commander";

import * as commands from "./commands/all.ts";
import { explainFailure } from "./explain-failure.ts";
import { type Output, watchOutput } from "./output.ts";
import type { Program } from "./commands/program.ts";

/**
 * Runs one command line. The program is made when a command needs it, so that `--help` works with broken settings.
 * A failure is explained on standard error and sets the exit code to 1.
 */
export async function runCli(commandLine: readonly string[], createProgram: () => Program): Promise<void> {
  const output = watchOutput();
  const cli = new Command("pergamon").description("Turns one web page into clean data.");
  for (const addCommand of Object.values(commands)) addCommand(cli, createProgram);
  try {
    await cli.parseAsync(commandLine, { from: "user" });
    // A service goes on after its command, so this is not decided by the end of the process.
    await nextTurn();
    refuseLostOutput(output);
  } catch (failure) {
    process.stderr.write(`${explainFailure(failure)}\n`);
    process.exitCode = 1;
  } finally {
    output.end();
  }
}

/** What a command printed may have been told this once, such as a key. */
function refuseLostOutput(output: Output): void {
  const failure = output.failure();
  if (failure)
    throw new Error(
      `What was printed did not arrive: ${failure.message}. Free some space, or print elsewhere.`,
    );
}
