import { setImmediate as nextTurn } from "node:timers/promises";
import { Command } from "commander";

import { explainFailure } from "./explain-failure.ts";
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
  const output = watchOutput();
  const cli = new Command("pergamon").description("Turns web pages into clean data.").version(version);
  for (const addCommand of commands) addCommand(cli, createProgram);
  try {
    await cli.parseAsync(withCommand(commandLine), { from: "user" });
    // A service continues after its command, so the end of the process is too late for this check.
    await nextTurn();
    refuseLostOutput(output);
  } catch (failure) {
    process.stderr.write(`${explainFailure(failure)}\n`);
    process.exitCode = 1;
  } finally {
    output.end();
  }
}

/** Options may precede the address. Any other word is a command, perhaps misspelt. */
function withCommand(commandLine: readonly string[]): readonly string[] {
  const [first = ""] = commandLine;
  const candidates = first.startsWith("-") ? commandLine : [first];
  return candidates.some((word) => ADDRESS.test(word)) ? ["scrape", ...commandLine] : commandLine;
}

/** Fails when output was lost, because it may be shown only once, such as a key. */
function refuseLostOutput(output: Output): void {
  const failure = output.failure();
  if (failure)
    throw new Error(
      `The output could not be written: ${failure.message}. Free some space, or write it elsewhere.`,
    );
}

/** State of standard output. */
interface Output {
  /** The reason why output was lost; undefined when all arrived, or when the reader wanted no more. */
  failure(): Error | undefined;
  /** Call it after the command. Later output of a service may get lost. */
  end(): void;
}

/** Keeps a full or closed standard output or error from ending a command or service. */
function watchOutput(): Output {
  let failure: Error | undefined;
  const note = (cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EPIPE") failure ??= cause;
  };
  process.stdout.on("error", note);
  if (!process.stderr.listeners("error").includes(ignore)) process.stderr.on("error", ignore);
  return {
    failure: () => failure,
    end() {
      process.stdout.off("error", note);
      if (!process.stdout.listeners("error").includes(ignore)) process.stdout.on("error", ignore);
    },
  };
}

function ignore(): void {}
