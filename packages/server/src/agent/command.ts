import { type Command, InvalidArgumentError, Option } from "commander";

import type { AgentNews } from "./follow-agent.ts";
import { readJson } from "../scrape/command/request-options.ts";
import type { AgentBench, Program } from "../cli/program.ts";
import { counted, progressLine } from "../cli/progress-line.ts";

interface AgentOptions {
  readonly url?: readonly string[];
  readonly strict?: boolean;
  readonly schema?: object;
  readonly maxCredits?: number;
  readonly effort?: string;
  readonly chat?: boolean;
  readonly thread?: string;
  readonly json?: boolean;
  readonly request?: object;
}

/** Exit code that shells use after SIGINT. */
const INTERRUPTED = 130;

export function addAgentCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("agent")
    .description("Find something out on the web, step by step. Needs a language model.")
    .argument("<prompt...>", "what is wanted")
    .option("-u, --url <urls...>", "Pages to begin with.")
    .option("--strict", "Visit no other pages.")
    .option("--schema <file>", "JSON file with the JSON Schema of the answer.", readJson)
    .option("--max-credits <count>", "The most that it may cost. Default: 2500.", wholeNumber)
    .addOption(
      new Option("--effort <level>", "At most 10, 20 or 40 steps.").choices(["low", "medium", "high"]),
    )
    .option("--chat", "Answer in words.")
    .option("--thread <id>", "Continue a thread.")
    .option("--json", "The whole answer as JSON.")
    .option("--request <file>", "JSON file with additional fields of the request.", readJson)
    .action((words: readonly string[], options: AgentOptions) =>
      runAgent(bodyOf(words.join(" "), options), options.json ?? false, createProgram()),
    );
}

function bodyOf(prompt: string, options: AgentOptions): Readonly<Record<string, unknown>> {
  const { url, strict, schema, maxCredits, effort, chat, thread, request = {} } = options;
  if ("webhook" in request) throw new Error("Agents started here send no webhooks. Remove webhook.");
  return {
    ...request,
    prompt,
    ...(url && { urls: url }),
    ...(strict && { strictConstrainToURLs: true }),
    ...(schema && { schema }),
    ...(maxCredits !== undefined && { maxCredits }),
    ...(effort !== undefined && { effort }),
    ...(chat && { mode: "chat" }),
    ...(thread !== undefined && { threadId: thread }),
    origin: "cli",
  };
}

/** Ctrl-C cancels the run. Its cost so far is charged. */
async function runAgent(
  body: Readonly<Record<string, unknown>>,
  asJson: boolean,
  program: Program,
): Promise<void> {
  const agents = await program.openAgents();
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once("SIGINT", interrupt);
  process.stdout.once("error", interrupt);
  try {
    const { id, threadId } = await agents.start(body);
    const last = await follow(agents, id, stop.signal);
    if (stop.signal.aborted) await agents.cancel(id);
    if (last) tellEnd(last, { id, threadId, asJson, isInterrupted: stop.signal.aborted });
  } finally {
    process.off("SIGINT", interrupt);
    process.stdout.off("error", interrupt);
    await agents.close();
  }
}

/** Prints each finished step. @returns the last status. */
async function follow(
  agents: AgentBench,
  id: string,
  signal: AbortSignal,
): Promise<AgentNews["status"] | undefined> {
  const line = progressLine();
  let last: AgentNews["status"] | undefined;
  try {
    for await (const { status, steps } of agents.follow(id, signal)) {
      last = status;
      line.end();
      for (const { number, action, summary } of steps) tell(`${number}. ${cut(action)}: ${cut(summary)}`);
      line.show(`Agent: ${counted(status.creditsUsed, "credit")}`);
    }
  } finally {
    line.end();
  }
  return last;
}

interface End {
  readonly id: string;
  readonly threadId: string;
  readonly asJson: boolean;
  readonly isInterrupted: boolean;
}

function tellEnd(status: AgentNews["status"], { id, threadId, asJson, isInterrupted }: End): void {
  const answer = status.message ?? status.data ?? status.partial;
  const text =
    asJson || typeof answer !== "string"
      ? JSON.stringify(asJson ? { id, ...status } : answer, undefined, 2)
      : answer;
  if (text !== undefined) process.stdout.write(`${text}\n`);
  for (const source of status.sources ?? []) tell(`Source: ${source}`);
  if (status.error !== undefined) tell(status.error);
  const state = isInterrupted ? "cancelled" : status.status;
  tell(
    `${counted(status.creditsUsed, "credit")}, ${state}. Continue: npx pergamon agent --thread ${threadId} "…"`,
  );
  if (state !== "completed") process.exitCode = isInterrupted ? INTERRUPTED : 1;
}

function tell(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

const MAX_LENGTH = 160;

/** Replaces control characters, because text of pages could contain terminal commands. */
function cut(text: string): string {
  const plain = text.replaceAll(/\p{C}/gu, " ");
  return plain.length > MAX_LENGTH ? `${plain.slice(0, MAX_LENGTH)}…` : plain;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It has to be a whole number.");
  return Number(text);
}
