import { parseArgs } from "node:util";

import { GENERATORS } from "./generators.ts";
import { scoreMadeDocuments } from "./score-all.ts";
import { WRITINGS } from "./texts.ts";
import { TOPICS } from "./topics.ts";

const { values } = parseArgs({
  options: {
    folder: { type: "string" },
    only: { type: "string" },
    topic: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});

/**
 * `npm run lab -- made-documents [--folder F] [--only latex,typst] [--topic card] [--verbose]`: prints how much of made PDFs
 * comes out as what it is, by generator, kind and script. `--verbose` names what does not.
 */
const means = await scoreMadeDocuments({
  ...(values.folder !== undefined && { folder: values.folder }),
  ...(values.only !== undefined && { generators: values.only.split(",") }),
  topic: values.topic,
  isVerbose: values.verbose,
});
const shown = (key: string): string => (means.get(key)?.toFixed(3) ?? "").padStart(10);
const topics = Object.keys(TOPICS);
console.log("".padEnd(12) + [...topics, "all"].map((topic) => topic.padStart(10)).join(""));
for (const name of Object.keys(GENERATORS).filter((one) => means.has(one)))
  console.log(name.padEnd(12) + topics.map((topic) => shown(`${name} ${topic}`)).join("") + shown(name));
console.log("all".padEnd(12) + topics.map(shown).join("") + shown("all"));
console.log(
  Object.keys(WRITINGS)
    .map((writing) => `${writing}${shown(writing)}`)
    .join("  "),
);
