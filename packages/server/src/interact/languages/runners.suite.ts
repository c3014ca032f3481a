import { sandboxDrivers } from "../../sandbox/drivers.ts";
import { openSandbox, type SandboxVerdict } from "../../sandbox/open-sandbox.ts";
import { type CodeCall, type CodeResult, type CodeRunner } from "./code-runner.ts";

/** Drivers that hold on this machine; the others are named loudly. */
export async function sandboxesHere(): Promise<readonly (readonly [string, SandboxVerdict])[]> {
  const verdicts = await Promise.all(
    sandboxDrivers.map(async (driver) => [driver.name, await openSandbox([driver])] as const),
  );
  for (const [name, verdict] of verdicts) {
    if (!verdict.sandbox) console.warn(`NOT TESTED: code in boxes by ${name}. ${verdict.reason}`);
  }
  return verdicts.filter(([, verdict]) => verdict.sandbox);
}

export const never = new AbortController().signal;

/** Runs code of one language, as a session would. */
export function run(runner: CodeRunner, code: string, more: Partial<CodeCall> = {}): Promise<CodeResult> {
  return runner.run({ language: "node", code, timeoutMs: 30_000, signal: never, ...more });
}
