import { bareCommands } from "../agent-browser/all.ts";
import { splitLine } from "../agent-browser/split-line.ts";

/** A command of a script. `needsSuccess`: it runs only if the previous command succeeded. */
interface AgentLine {
  readonly words: readonly string[];
  readonly needsSuccess: boolean;
}

/** Matches a piece of a script: quoted text, a separator of commands, or anything else. */
const PIECE = /'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]|&&|[;\n]|[^'"\\;\n&]+|[^]/g;
/** Matches syntax that only a shell can run. */
const SHELL = /^(?:[|<>&(){}]|.*[|<>`$])/;

/**
 * Parses a script of `agent-browser` commands joined by line ends, `;` or `&&`.
 * @returns undefined for anything that needs a shell.
 */
export function readAgentLines(script: string): readonly AgentLine[] | undefined {
  const lines: AgentLine[] = [];
  let text = "";
  let needsSuccess = false;
  for (const piece of [...(script.replaceAll("\\\n", " ").match(PIECE) ?? []), "\n"]) {
    const isJoint = piece === "&&" || piece === ";" || piece === "\n";
    if (!isJoint && !/^['"\\]/.test(piece) && SHELL.test(piece)) return undefined;
    if (!isJoint) text += piece;
    else if (text.trim() && !text.trim().startsWith("#")) {
      const words = wordsOf(splitLine(text));
      if (!words) return undefined;
      lines.push({ words, needsSuccess });
    }
    if (isJoint) [text, needsSuccess] = ["", piece === "&&"];
  }
  return lines;
}

function wordsOf(line: readonly string[]): readonly string[] | undefined {
  const [program = "", ...words] = line;
  if (program === "agent-browser") return words;
  return bareCommands.includes(program) ? line : undefined;
}
