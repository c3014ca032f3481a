import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { AgentBrowser } from "./agent-browser.ts";

/** One command, as assistants know it from the program of that name. */
export interface AgentCommand {
  /** What follows the name, for the message when it is missing. */
  readonly usage: string;
  /** How many words have to follow. */
  readonly least: number;
  /** @returns what is printed. */
  run(browser: AgentBrowser, words: readonly string[]): Promise<string>;
}

export const DONE = "✓ Done";

/** A command that says only that it has been done. */
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

/** A command that prints what it found. */
export function answer(usage: string, least: number, run: AgentCommand["run"]): AgentCommand {
  return { usage, least, run };
}

/** The word after a flag such as `--url`; undefined without it. */
export function valueOf(words: readonly string[], ...flags: readonly string[]): string | undefined {
  const at = words.findIndex((word) => flags.includes(word));
  return at < 0 ? undefined : words[at + 1];
}

/** Chooses one of several meanings by a word. @throws Error that names them all. */
export function oneOf<Meaning>(
  meanings: Readonly<Record<string, Meaning>>,
  word: string | undefined,
): Meaning {
  const meaning = word === undefined ? undefined : ownProperty(meanings, word);
  if (meaning === undefined) throw new Error(`Expected one of: ${Object.keys(meanings).join(", ")}`);
  return meaning;
}
