import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { AgentBrowser } from "./agent-browser.ts";
import { type AgentCommand, answer } from "./command.ts";
import { elements } from "./elements.ts";
import { finding } from "./finding.ts";
import { navigation } from "./navigation.ts";
import { reading } from "./reading.ts";
import { splitLine } from "./split-line.ts";

/** All commands of `agent-browser`. */
const agentCommands: Readonly<Record<string, AgentCommand>> = {
  ...navigation,
  ...elements,
  ...finding,
  ...reading,
  batch: answer("<command>...", 1, async (browser, lines) => {
    const outputs: string[] = [];
    for (const line of lines) outputs.push(await runAgentCommand(browser, splitLine(line)));
    return outputs.join("\n");
  }),
};

/** Words that shells and system programs use, which keep their usual meaning in scripts. */
const SHELL_WORDS: ReadonlySet<string> = new Set(["eval", "find", "select", "set", "type", "wait"]);

/** Commands that scripts may also call without the program's name, as AI assistants do. */
export const bareCommands: readonly string[] = Object.keys(agentCommands).filter(
  (name) => !SHELL_WORDS.has(name),
);

/**
 * Runs one command.
 * @returns its output.
 * @throws Error with one sentence for the caller.
 */
export async function runAgentCommand(browser: AgentBrowser, words: readonly string[]): Promise<string> {
  const [name = "", ...rest] = words;
  const command = ownProperty(agentCommands, name);
  if (!command) {
    throw new Error(
      `agent-browser ${name} is not available. Available commands: ${Object.keys(agentCommands).join(", ")}`,
    );
  }
  if (rest.length < command.least) throw new Error(`Usage: agent-browser ${name} ${command.usage}`);
  return command.run(browser, rest);
}
