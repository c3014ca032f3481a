import { ServiceError } from "../../api/errors.ts";
import { readAgentLines } from "./agent-lines.ts";
import type { CodeLevel } from "../../sandbox/code-level.ts";
import type { CodeCall } from "./code-runner.ts";

export type PlannedCode = Pick<CodeCall, "language" | "code">;

/**
 * @throws ServiceError CODE_NOT_AVAILABLE for code that this level cannot run, with the reason and the
 *   remedy.
 */
export function refuseCode(level: CodeLevel, code: PlannedCode): void {
  if (level.name === "box") return;
  const { reason, remedy } = level;
  const lack = level.name === "off" ? OFF : lackOfInterpreter(code);
  if (lack) throw new ServiceError("CODE_NOT_AVAILABLE", { message: `${lack}: ${reason}. ${remedy}` });
}

const OFF = "This installation cannot run code";

function lackOfInterpreter({ language, code }: PlannedCode): string | undefined {
  if (language === "python") return "Python requires a sandbox, which is not available";
  if (language === "bash" && !readAgentLines(code))
    return "A shell requires a sandbox, which is not available (agent-browser commands still work)";
  return undefined;
}
