import { boilerplateLines } from "./boilerplate-lines.ts";

/** Removes boilerplate lines from Markdown. Nothing else changes, except empty lines around them. */
export function cleanMarkdown(markdown: string): string {
  return withoutLines(markdown, boilerplateLines(markdown));
}

/** Removes the lines with these numbers (from 0). */
export function withoutLines(markdown: string, numbers: ReadonlySet<number>): string {
  if (numbers.size === 0) return markdown;
  const lines = markdown.split("\n");
  const kept = lines.flatMap((line, number) => (numbers.has(number) ? [] : [{ line, number }]));
  return kept
    .filter(({ line, number }, place) => {
      const before = kept[place - 1];
      const closesGap = before === undefined || (before.line.trim() === "" && before.number !== number - 1);
      return line.trim() !== "" || !closesGap;
    })
    .map(({ line }) => line)
    .join("\n")
    .replace(/\n+$/, markdown.endsWith("\n") ? "\n" : "");
}
