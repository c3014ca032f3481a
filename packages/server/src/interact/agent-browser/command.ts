import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { AgentBrowser } from "./agent-browser.ts";

export interface AgentCommand {
  /** Arguments, for the message when they are missing. */
  readonly usage: string;
  /** Minimum number of arguments. */
  readonly least: number;
  /** @returns the output. */
  run(browser: AgentBrowser, words: readonly string[]): Promise<string>;
}

export const DONE = "✓ Done";

/** Defines a command that prints only that it is done. */
export function action(
  usage: string,
  least: number,
  run: (browser: AgentBrowser, words: readonly string[]) => Promise<unknown>,
): AgentCommand {
  return {
    usage,
    least,
    async run(browser, words) {
      await run(browser, words);
      return DONE;
    },
  };
}

/** Defines a command that prints its result. */
export function answer(usage: string, least: number, run: AgentCommand["run"]): AgentCommand {
  return { usage, least, run };
}

/** The word after a flag such as `--url`. Undefined when the flag is missing. */
export function valueOf(words: readonly string[], ...flags: readonly string[]): string | undefined {
  const at = words.findIndex((word) => flags.includes(word));
  return at < 0 ? undefined : words[at + 1];
}

/** Looks up the meaning of a word. @throws Error that lists all words. */
export function oneOf<Meaning>(
  meanings: Readonly<Record<string, Meaning>>,
  word: string | undefined,
): Meaning {
  const meaning = word === undefined ? undefined : ownProperty(meanings, word);
  if (meaning === undefined) throw new Error(`Expected one of: ${Object.keys(meanings).join(", ")}`);
  return meaning;
}
