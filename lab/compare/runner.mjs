// Pages as lines of JSON in, their Markdown by a function of a module out. Usage: node runner.mjs MODULE FUNCTION
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [, , module, name] = process.argv;
const { [name]: convert } = await import(pathToFileURL(module).href);
for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...page } = JSON.parse(line);
  let markdown = "";
  try {
    markdown = (await convert(page)) ?? "";
  } catch {
    // A page that a tool cannot read has no words.
  }
  process.stdout.write(`${JSON.stringify({ id, markdown })}\n`);
}
