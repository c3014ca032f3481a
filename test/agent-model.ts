import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { ofTestFile } from "../packages/kit/src/test-file.suite.ts";

/** What the model says in a step: a reply, or its exact text. */
export type Said = Readonly<Record<string, unknown>> | string;

/** Said to a question that is never answered. */
export const NEVER = "never";

/** A script: what is said in each step, by what has been done before. */
export type Script = readonly (Said | ((shown: Shown) => Said))[];

export interface Shown {
  readonly system: string;
  readonly user: string;
}

/** A model on loopback that plays a script for each task. A step that is made again is answered the same. */
export interface AgentModel {
  readonly url: string;
  readonly settings: Readonly<Record<string, string>>;
  /** What it was shown, question by question. */
  readonly shown: readonly Shown[];
  /** @param task a word of the prompt, which no other prompt has. */
  play(task: string, script: Script): void;
  close(): void;
}

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

const OVER = { tool: "done", input: { success: false, answer: "The script is over." } };

/** Speaks as OpenAI-compatible servers do. */
export async function startAgentModel(): Promise<AgentModel> {
  const shown: Shown[] = [];
  const scripts = new Map<string, Script>();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      const { messages } = JSON.parse(body) as ChatRequest;
      const text = (role: string) => messages.find((message) => message.role === role)?.content ?? "";
      const question = { system: text("system"), user: text("user") };
      shown.push(question);
      const task = [...scripts.keys()].find((word) => taskIn(question.user).includes(word));
      answer(response, saidTo(question, scripts.get(task ?? "") ?? []));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const model: AgentModel = {
    url,
    settings: { LLM_BASE_URL: url, LLM_MODEL: "scripted", LLM_API: "openai", LLM_CONCURRENCY: "50" },
    shown,
    play: (task, script) => void scripts.set(task, script),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return ofTestFile.add(model, () => model.close());
}

function taskIn(user: string): string {
  return /Task from the user: ([^\n]*)/.exec(user)?.[1] ?? "";
}

function saidTo(question: Shown, script: Script): Said {
  const steps = [...question.user.matchAll(/^Step (\d+): /gm)].length;
  const step = script[steps] ?? OVER;
  return typeof step === "function" ? step(question) : step;
}

function answer(response: ServerResponse, said: Said): void {
  if (said === NEVER) return;
  const content = typeof said === "string" ? said : JSON.stringify(said);
  const message = { role: "assistant", content };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: "stop", message }] }));
}

export function call(tool: string, input: object, more: object = {}): Readonly<Record<string, unknown>> {
  return { tool, input, reason: `because of ${tool}`, ...more };
}

export function done(answered: unknown, more: object = {}): Readonly<Record<string, unknown>> {
  return { tool: "done", input: { answer: answered, ...more } };
}
