import { decideLevel } from "../../interact/languages/code-level.ts";
import { openSandbox } from "../../platform/sandbox/open-sandbox.ts";
import type { DoctorSettings, Finding } from "./finding.ts";

/** How code of callers runs here. Tries every way out of a box, as the service does before the first call. */
export async function checkInteractCode({ interactCode }: DoctorSettings): Promise<Finding> {
  const level = await decideLevel(interactCode, openSandbox);
  if (level.name === "box") {
    return { status: "found", detail: `in boxes by ${level.sandbox.driver.name}, which hold` };
  }
  const { reason, remedy } = level;
  if (level.name === "off") {
    const status = interactCode === "off" ? "missing" : "problem";
    return {
      status,
      detail: `not at all: ${reason}`,
      cost: "Calls of interact with code are refused.",
      remedy,
    };
  }
  return {
    status: "missing",
    detail: `in an interpreter: ${reason}`,
    cost: "Code of callers has JavaScript and commands of agent-browser, but no Node, Python or shell.",
    remedy,
  };
}
