import { compareWithGit } from "./changes.ts";
import { countAlarms } from "./histories.ts";
import { judgeChunks } from "./chunks.ts";
import { judgeEvidence } from "./evidence.ts";
import { judgePages } from "./injection.ts";
import { timePatterns } from "./patterns.ts";
import { countLostWords } from "./words.ts";

/** One line per name of `npm run quality -- <name>`. Each prints its figures, and tells whether they are good enough. */
const FIGURES: Readonly<Record<string, () => boolean | Promise<boolean>>> = {
  injection: judgePages,
  evidence: judgeEvidence,
  chunks: judgeChunks,
  changes: compareWithGit,
  histories: countAlarms,
  patterns: timePatterns,
  words: countLostWords,
};

const [name = ""] = process.argv.slice(2);
const print = FIGURES[name];
if (!print) throw new Error(`Use one of: ${Object.keys(FIGURES).join(", ")}.`);
if (!(await print())) process.exitCode = 1;
