import { askVersion, locateProgram } from "../kit/process/programs.ts";
import type { Finding } from "./finding.ts";

/** An external program that adds a feature. */
export interface OptionalProgram {
  /** Name on PATH. */
  readonly name: string;
  readonly versionArgument: string;
  readonly cost: string;
  readonly remedy: string;
  readonly signal: AbortSignal | undefined;
}

/** Looks for the configured program, or for its name on PATH, and starts it. */
export async function checkProgram(
  configuredPath: string | undefined,
  pathVariable: string,
  { name, versionArgument, cost, remedy, signal }: OptionalProgram,
): Promise<Finding> {
  const path = configuredPath ?? (await locateProgram(name, pathVariable));
  if (!path) return { status: "missing", detail: "not found", cost, remedy };
  const answer = await askVersion(path, { args: [versionArgument], ...(signal && { signal }) });
  if ("problem" in answer) return { status: "problem", detail: `${path}: ${answer.problem}`, cost, remedy };
  return { status: "found", detail: `${answer.version}, ${path}` };
}
