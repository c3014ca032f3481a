import { fenced } from "./fence.ts";

export const VERSION = 3;

export const SYSTEM =
  "Extract the values for a JSON Schema from the text of a web page. Use nothing else. Copy figures, names and addresses exactly. Leave out values that the page does not contain. Never invent a value, and never copy an example as if it came from the page.";

interface JsonPrompt {
  readonly url: string;
  /** The caller's prompt. */
  readonly prompt: string | undefined;
  /** Values that the rules found. */
  readonly hint: unknown;
}

export function userText(page: string, { url, prompt, hint }: JsonPrompt): string {
  const parts = [fenced(page), `URL of the page: ${url}`];
  if (prompt !== undefined) parts.push(`Task: ${prompt}`);
  if (hint !== undefined)
    parts.push(
      `A search of the page's data found these values. ${fenced(JSON.stringify(hint).slice(0, 8000))}`,
    );
  return parts.join("\n\n");
}
