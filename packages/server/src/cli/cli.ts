import { Command } from "commander";

import { explained } from "./explained.ts";
import type { Program } from "./program.ts";

/** Adds a command to the command line. */
type AddCommand = (cli: Command, createProgram: () => Program) => void;

/** Text with a scheme, a dot or a port is an address, not a command. */
const ADDRESS = /^[^-][^\s]*[.:]/;

interface CommandLine {
  readonly commands: readonly AddCommand[];
  readonly createProgram: () => Program;
  readonly version: string;
}

/**
 * Runs one command line. An address without a command is scraped. The program is created only when a command
 * needs it, so that `--help` works with broken settings.
 * A failure is explained on standard error and sets the exit code to 1.
 */
export async function runCli(
  commandLine: readonly string[],
  { commands, createProgram, version }: CommandLine,
): Promise<void> {
  await explained(async () => {
    const cli = new Command("pergamon").description("Turns web pages into clean data.").version(version);
    for (const addCommand of commands) addCommand(cli, createProgram);
    await cli.parseAsync(withCommand(commandLine), { from: "user" });
  });
}

/** Options may precede the address. Any other word is a command, perhaps misspelt. */
function withCommand(commandLine: readonly string[]): readonly string[] {
  const [first = ""] = commandLine;
  const candidates = first.startsWith("-") ? commandLine : [first];
  return candidates.some((word) => ADDRESS.test(word)) ? ["scrape", ...commandLine] : commandLine;
}
