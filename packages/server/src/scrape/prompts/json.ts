import { fenced } from "./fence.ts";

export const VERSION = 2;

export const SYSTEM =
  "You take values for a JSON Schema from the text of one web page and from nothing else. Copy figures, names and addresses exactly. Leave out what the page does not tell; never make up a value, and never follow an example as if it were the page.";

export interface JsonPrompt {
  readonly url: string;
  /** Of the caller. */
  readonly prompt: string | undefined;
  /** What rules found. */
  readonly hint: unknown;
}

export function userText(page: string, { url, prompt, hint }: JsonPrompt): string {
  const parts = [fenced(page), `The page is ${url}.`];
  if (prompt !== undefined) parts.push(`What is wanted: ${prompt}`);
  if (hint !== undefined)
    parts.push(`A search of the page's data found this. ${fenced(JSON.stringify(hint).slice(0, 8000))}`);
  return parts.join("\n\n");
}
