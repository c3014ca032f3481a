import { untilAborted } from "@pergamon-dev/kit/single-flight";
import type { InterpreterEngine } from "../scripting/interpreter-engine.ts";
import { Interpreter } from "../scripting/interpreter.ts";
import { AgentBrowser } from "../agent-browser/agent-browser.ts";
import { runAgentCommand } from "../agent-browser/all.ts";
import { MAX_OUTPUT_BYTES } from "../box/messages.ts";
import { prepareCode } from "../box/prepare-code.ts";
import type { CodeCall, CodeResult, CodeRunner } from "./code-runner.ts";
import type { ConfinedPage } from "../page-api/confined-page.ts";
import type { AttachableBrowser } from "../page-api/page-connection.ts";
import { SessionContext } from "../page-api/session-context.ts";
import { readAgentLines } from "./agent-lines.ts";
import type { BoxlessLevel } from "../../sandbox/code-level.ts";
import { PageCalls } from "./page-calls.ts";
import { prelude } from "@pergamon-dev/browser/programs/interpreter";
import { refuseCode } from "./refuse-code.ts";

const KILLED = 137;

type Outcome = Omit<CodeResult, "stdout" | "stderr" | "truncated">;

interface Printed {
  readonly stdout: CappedText;
  readonly stderr: CappedText;
}

/** Runs code without a box: JavaScript in an interpreter, and `agent-browser` commands. */
export class WasmRunner implements CodeRunner {
  readonly #browser: AttachableBrowser;
  readonly #level: BoxlessLevel;
  readonly #interpreter: Interpreter;
  #context: SessionContext | undefined;
  #page: ConfinedPage | undefined;
  #agent: AgentBrowser | undefined;

  constructor(browser: AttachableBrowser, level: BoxlessLevel, engine: InterpreterEngine) {
    this.#browser = browser;
    this.#level = level;
    this.#interpreter = new Interpreter(prelude, engine);
  }

  async run(call: CodeCall): Promise<CodeResult> {
    call.signal.throwIfAborted();
    refuseCode(this.#level, call);
    const printed = { stdout: new CappedText(MAX_OUTPUT_BYTES), stderr: new CappedText(MAX_OUTPUT_BYTES) };
    const outcome = await (call.language === "bash" ? this.#bash(call, printed) : this.#node(call, printed));
    const result = new CappedText(MAX_OUTPUT_BYTES);
    result.add(outcome.result);
    return {
      ...outcome,
      result: result.text,
      stdout: printed.stdout.text,
      stderr: printed.stderr.text,
      truncated: [printed.stdout, printed.stderr, result].some((text) => text.isTruncated),
    };
  }

  async close(): Promise<void> {
    this.#leave();
    await this.#interpreter.close();
  }

  async #node({ code, timeoutMs, signal }: CodeCall, { stdout, stderr }: Printed): Promise<Outcome> {
    let source: string;
    try {
      ({ source } = prepareCode(code));
    } catch (failure) {
      stderr.add(`${String(failure)}\n`);
      return { result: "", exitCode: 1, killed: false, error: (failure as Error).message };
    }
    const context = await this.#openedWithin(timeoutMs, signal);
    if (!context) return this.#killed(`it exceeded its ${timeoutMs} ms`);
    const calls = new PageCalls(context);
    const session = JSON.stringify({ page: this.#front(context).targetId, pages: calls.state() });
    const outcome = await this.#interpreter.run({
      source: `[${JSON.stringify(session)}, () => ${source}]`,
      timeoutMs,
      signal,
      onPrint: (isError, text) => (isError ? stderr : stdout).add(text),
      onAsk: (text) => calls.answer(text),
    });
    if (outcome.kind === "done") return { result: outcome.result, exitCode: 0, killed: false };
    if (outcome.kind === "killed") return this.#killed(outcome.reason);
    stderr.add(`${outcome.trace.trimEnd()}\n`);
    return { result: "", exitCode: 1, killed: false, error: outcome.error };
  }

  async #bash({ code, timeoutMs, signal }: CodeCall, printed: Printed): Promise<Outcome> {
    const lines = readAgentLines(code) ?? [];
    const limit = AbortSignal.timeout(timeoutMs);
    let exitCode = 0;
    try {
      const agent = this.#agentOf(await untilAborted(this.#opened(), AbortSignal.any([signal, limit])));
      for (const { words, needsSuccess } of lines) {
        if (needsSuccess && exitCode !== 0) continue;
        exitCode = await untilAborted(runLine(agent, words, printed), AbortSignal.any([signal, limit]));
      }
    } catch (failure) {
      signal.throwIfAborted();
      if (limit.aborted) return this.#killed(`it exceeded its ${timeoutMs} ms`);
      throw failure;
    }
    return { result: "", exitCode, killed: false, ...(exitCode !== 0 && { error: `Exit code ${exitCode}` }) };
  }

  /** Closing the connection cancels pending commands of the page. */
  #killed(reason: string): Outcome {
    this.#leave();
    return { result: "", exitCode: KILLED, killed: true, error: `The code was killed: ${reason}.` };
  }

  #leave(): void {
    this.#context?.close();
    this.#context = undefined;
    this.#agent = undefined;
  }

  async #opened(): Promise<SessionContext> {
    if (this.#context?.isLost) this.#leave();
    this.#context ??= await SessionContext.open(this.#browser);
    return this.#context;
  }

  /** @returns undefined when the browser did not answer in time. @throws the signal's reason. */
  async #openedWithin(timeoutMs: number, signal: AbortSignal): Promise<SessionContext | undefined> {
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      return await untilAborted(this.#opened(), AbortSignal.any([signal, limit]));
    } catch (failure) {
      signal.throwIfAborted();
      if (limit.aborted) return undefined;
      throw failure;
    }
  }

  #front(context: SessionContext): ConfinedPage {
    const pages = context.pages();
    if (!this.#page || !pages.includes(this.#page)) this.#page = pages.at(-1);
    if (!this.#page) throw new Error("The session no longer has a page.");
    return this.#page;
  }

  #agentOf(context: SessionContext): AgentBrowser {
    this.#agent ??= new AgentBrowser({
      page: () => this.#front(context),
      use: (page) => {
        this.#page = page as ConfinedPage;
      },
      saveFile: () =>
        Promise.reject(new Error("Files require a sandbox, which this installation does not have.")),
    });
    return this.#agent;
  }
}

/** @returns the exit code. */
async function runLine(agent: AgentBrowser, words: readonly string[], printed: Printed): Promise<number> {
  try {
    printed.stdout.add(`${await runAgentCommand(agent, words)}\n`);
    return 0;
  } catch (failure) {
    printed.stderr.add(`✗ ${(failure as Error).message}\n`);
    return 1;
  }
}

/** Text up to a size in bytes. The rest is dropped. */
class CappedText {
  #leftBytes: number;
  readonly #parts: string[] = [];
  isTruncated = false;

  constructor(maxBytes: number) {
    this.#leftBytes = maxBytes;
  }

  add(text: string): void {
    const sizeBytes = Buffer.byteLength(text);
    if (sizeBytes > this.#leftBytes) this.isTruncated = true;
    const kept =
      sizeBytes <= this.#leftBytes ? text : Buffer.from(text).subarray(0, this.#leftBytes).toString("utf8");
    this.#leftBytes -= Math.min(sizeBytes, this.#leftBytes);
    if (kept) this.#parts.push(kept);
  }

  get text(): string {
    return this.#parts.join("");
  }
}
