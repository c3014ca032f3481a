import { Argument, type Command } from "commander";

import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { wordsOf } from "../completion/words.ts";
import { zshCompletion } from "../completion/zsh.ts";

/** One line per shell. */
const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

export function addCompletionCommand(cli: Command): void {
  cli
    .command("completion")
    .description(
      "Print a shell completion script. Load it, for example, with: source <(pergamon completion bash)",
    )
    .addArgument(new Argument("<shell>", "name of the shell").choices(Object.keys(shells)))
    .action((shell: keyof typeof shells) => {
      process.stdout.write(shells[shell](cli.name(), wordsOf(cli)));
    });
}
