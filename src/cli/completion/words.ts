import type { Command, Option } from "commander";

/** A command as shells complete it. */
export interface CommandWords {
  /** The words that lead to it, without that of the program: `["keys", "create"]`. */
  readonly path: readonly string[];
  readonly description: string;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionWords[];
}

export interface OptionWords {
  /** Every spelling: `["-o", "--output"]`. */
  readonly spellings: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  /** What the value may be; empty where that cannot be known. */
  readonly choices: readonly string[];
  /** Whether the value is the path of a file or folder. */
  readonly isPath: boolean;
}

/** All commands below this one, and itself, first. What is declared is all there is. */
export function wordsOf(command: Command, path: readonly string[] = []): readonly CommandWords[] {
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command).map((one) => ({
    name: one.name(),
    description: firstSentence(one.description()),
  }));
  const own: CommandWords = {
    path,
    description: firstSentence(command.description()),
    subcommands,
    options: help.visibleOptions(command).map(optionWords),
  };
  return [own, ...command.commands.flatMap((one) => wordsOf(one, [...path, one.name()]))];
}

function optionWords(option: Option): OptionWords {
  return {
    spellings: [option.short, option.long].filter((spelling) => spelling !== undefined && spelling !== null),
    description: firstSentence(option.description),
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
    isPath: /[<[](?:file|path|folder)/.test(option.flags),
  };
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.) /, 1)[0]?.replace(/\.$/, "") ?? "";
}

/** How completion scripts name a command: `/keys/create`, and nothing for the program itself. */
export function slashed(path: readonly string[]): string {
  return path.map((word) => `/${word}`).join("");
}
