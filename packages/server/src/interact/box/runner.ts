import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";

import { CodeTimers } from "./code-timers.ts";
import {
  type CodeOrder,
  type CodeOutcome,
  MAX_OUTPUT_BYTES,
  type ProgramMessage,
  writeMessage,
} from "./messages.ts";
import { servePage } from "./page-server.ts";
import { NodeCode } from "./run-node.ts";
import { BoxPage } from "./session-page.ts";
import { failureText } from "./value-text.ts";
import { bareCommands } from "../agent-browser/all.ts";

/** In bytes. The kernel accepts no longer argument. */
const MAX_ARGUMENT_BYTES = 120_000;
const SIGNAL_OFFSET = 128;

interface ProgramCall {
  readonly program: string;
  /** Arguments that run code from an argument or from a file. */
  readonly forText: readonly string[];
  readonly forFile: readonly string[];
}

/** Runs code in a program. Its output goes straight to the service, and its child processes end with it. */
async function runInterpreter(code: string, call: ProgramCall): Promise<CodeOutcome> {
  const child = spawn(call.program, argumentsOf(code, call), {
    stdio: ["ignore", "inherit", "inherit"],
    cwd: "/tmp",
    detached: true,
  });
  try {
    return await new Promise<CodeOutcome>((resolve) => {
      child.once("error", ({ message }) => resolve({ result: "", exitCode: 127, error: message }));
      child.once("exit", (exitCode) => resolve(outcomeOf(exitCode ?? SIGNAL_OFFSET)));
    });
  } finally {
    endGroup(child.pid);
  }
}

function argumentsOf(code: string, { forText, forFile }: ProgramCall): readonly string[] {
  if (Buffer.byteLength(code) <= MAX_ARGUMENT_BYTES) return [...forText, code];
  const path = "/tmp/.code";
  writeFileSync(path, code);
  return [...forFile, path];
}

function outcomeOf(exitCode: number): CodeOutcome {
  return exitCode === 0 ? { result: "", exitCode } : { result: "", exitCode, error: `Exit code ${exitCode}` };
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The process group is gone.
  }
}

type Write = typeof process.stdout.write;

/**
 * Limits the output of code in this process. More would only fill memory, because the service keeps no more.
 * Child processes write by themselves.
 */
class PrintedOutput {
  readonly #stream: NodeJS.WriteStream;
  readonly #write: Write;
  #leftBytes = MAX_OUTPUT_BYTES;
  isTruncated = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    this.#write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...more: readonly unknown[]) => {
      const done = more.find((one) => typeof one === "function");
      this.#take(Buffer.from(chunk as string));
      done?.();
      return true;
    };
  }

  begin(): void {
    this.#leftBytes = MAX_OUTPUT_BYTES;
    this.isTruncated = false;
  }

  /** Writes the mark that ends the output of the code. */
  end(mark: string): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#stream.writable) resolve();
      else this.#write(mark, () => resolve());
    });
  }

  #take(bytes: Buffer): void {
    const kept = bytes.subarray(0, this.#leftBytes);
    if (kept.byteLength < bytes.byteLength) this.isTruncated = true;
    this.#leftBytes -= kept.byteLength;
    if (kept.byteLength > 0) this.#write(kept);
  }
}

/**
 * Bash calls this function for unknown programs. It makes commands of `agent-browser` work without the
 * program's name.
 */
const HANDLER = `() {
  case " ${bareCommands.join(" ")} " in
    *" $1 "*) agent-browser "$@" ;;
    *) echo "bash: $1: command not found" >&2; return 127 ;;
  esac
}`;

/** Bash reads exported functions from environment variables of this form. */
const BARE_COMMANDS = `BASH_FUNC_command_not_found_handle%%=${HANDLER}`;

/** Program in a box. It runs orders one after the other until the service ends it. */

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
// NOTE: a lost service may break the channel in any of these ways, and code keeps errors from ending this
// process.
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
