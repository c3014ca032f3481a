import { Socket } from "node:net";
import { createInterface } from "node:readline";

import { BARE_COMMANDS } from "./bare-commands.ts";
import { CodeTimers } from "./code-timers.ts";
import {
  type ProgramMessage,
  MAX_OUTPUT_BYTES,
  type CodeOrder,
  type CodeOutcome,
  writeMessage,
} from "./messages.ts";
import { PrintedOutput } from "./output.ts";
import { type ProgramCall, runInterpreter } from "./run-program.ts";
import { servePage } from "./page-server.ts";
import { NodeCode } from "./run-node.ts";
import { BoxPage } from "./session-page.ts";
import { failureText } from "./value-text.ts";

/** The program in a box: carries out orders one after the other, until the service ends it. */

const PROGRAMS: Readonly<Record<"python" | "bash", ProgramCall>> = {
  bash: {
    program: "/usr/bin/env",
    forText: [BARE_COMMANDS, "/bin/bash", "-c"],
    forFile: [BARE_COMMANDS, "/bin/bash"],
  },
  python: {
    program: "python3",
    forText: ["-I", "/opt/box/page.py", "--text"],
    forFile: ["-I", "/opt/box/page.py", "--file"],
  },
};

const channel = new Socket({ fd: 3, readable: true, writable: true });
// NOTE: a service that is gone may break it in any of these ways, and code keeps errors from ending this process.
for (const event of ["end", "error", "close"])
  channel.once(event, () => process.kill(process.pid, "SIGKILL"));
const outputs = [new PrintedOutput(process.stdout), new PrintedOutput(process.stderr)];
const timers = new CodeTimers();
const session = new BoxPage();
const node = new NodeCode();
servePage(session);

async function carryOut({ language, code, timeoutMs }: CodeOrder): Promise<CodeOutcome> {
  const objects = await session.objects(timeoutMs);
  return language === "node" ? node.run(code, objects) : runInterpreter(code, PROGRAMS[language]);
}

async function answer(order: CodeOrder): Promise<void> {
  for (const output of outputs) output.begin();
  const outcome = await carryOut(order).catch((failure: unknown): CodeOutcome => ({
    result: "",
    exitCode: 1,
    error: failureText(failure),
  }));
  timers.clear();
  await Promise.all(outputs.map((output) => output.end(order.endMark)));
  const [result, error] = [cut(outcome.result), cut(outcome.error ?? "")];
  const truncated = outputs.some(({ isTruncated }) => isTruncated) || result !== outcome.result;
  say({
    kind: "done",
    exitCode: outcome.exitCode,
    result,
    truncated,
    ...(outcome.error !== undefined && { error }),
  });
}

function cut(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.byteLength > MAX_OUTPUT_BYTES ? bytes.subarray(0, MAX_OUTPUT_BYTES).toString("utf8") : text;
}

function say(message: ProgramMessage): void {
  channel.write(`${writeMessage(message)}\n`);
}

say({ kind: "ready" });
for await (const line of createInterface({ input: channel })) await answer(JSON.parse(line) as CodeOrder);
