import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { ofTestFile } from "@pergamon-dev/kit/test-file.suite";
import type { TokenUse } from "./dialect.ts";
import type { DialectName } from "./dialects.ts";

/** What a model says, before a dialect wraps it. */
interface Said {
  readonly text?: string;
  readonly end?: "whole" | "cut" | "refused";
  /** Where the text stands, if not where it should. */
  readonly place?: "parts" | "reasoning" | "tool";
  /** The tokens that it says it has used. */
  readonly use?: TokenUse;
}

/** One reply of the double. */
export interface Step {
  readonly say?: Said;
  /** Sent instead of what is said. */
  readonly body?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** How the connection ends instead of a whole reply. */
  readonly breaks?: "half" | "never" | "trickle" | "flood";
  /** What is said to a request, instead of `say`. */
  readonly reply?: (asked: string) => Said;
  /** Holds for as long as requests contain this text. */
  readonly whileAsked?: string;
}

/** A model on loopback that says what a script tells it to, in one dialect. */
export interface ModelDouble {
  readonly url: string;
  readonly requests: readonly DoubleRequest[];
  /** Has another script from now on, which starts with its first step. */
  says(script: readonly Step[]): void;
  close(): void;
}

export interface DoubleRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** One line per dialect: what it wraps a saying in. */
const WRAPPERS: Readonly<Record<DialectName, (said: Said) => object>> = {
  openai({ text = "", end = "whole", place, use }) {
    const content = place === "parts" ? [{ type: "text", text }] : place ? null : text;
    const message = {
      role: "assistant",
      content,
      ...(place === "reasoning" && { reasoning_content: text }),
      ...(place === "tool" && {
        tool_calls: [{ id: "t", type: "function", function: { name: "answer", arguments: text } }],
      }),
      ...(end === "refused" && { refusal: "I cannot help with that." }),
    };
    const usage = use && { prompt_tokens: use.input, completion_tokens: use.output };
    return { choices: [{ index: 0, finish_reason: end === "cut" ? "length" : "stop", message }], usage };
  },
  anthropic({ text = "", end = "whole", place, use }) {
    const reasons = { whole: "end_turn", cut: "max_tokens", refused: "refusal" };
    const part =
      place === "tool"
        ? { type: "tool_use", id: "t", name: "answer", input: JSON.parse(text) as unknown }
        : { type: "text", text };
    const usage = use && { input_tokens: use.input, output_tokens: use.output };
    return { type: "message", stop_reason: reasons[end], content: [part], usage };
  },
  google({ text = "", end = "whole", place, use }) {
    const reasons = { whole: "STOP", cut: "MAX_TOKENS", refused: "SAFETY" };
    const thoughts = place === "parts" ? [{ text: "Let me think {", thought: true }] : [];
    const usageMetadata = use && {
      promptTokenCount: use.input,
      candidatesTokenCount: 0,
      thoughtsTokenCount: use.output,
      totalTokenCount: use.input + use.output,
    };
    return {
      usageMetadata,
      candidates: [
        { finishReason: reasons[end], content: { role: "model", parts: [...thoughts, { text }] } },
      ],
    };
  },
  ollama({ text = "", end = "whole", place, use }) {
    const content = place === "reasoning" ? { content: "", thinking: text } : { content: text };
    return {
      model: "double",
      done: true,
      done_reason: end === "cut" ? "length" : "stop",
      message: { role: "assistant", ...content },
      ...(use && { prompt_eval_count: use.input, eval_count: use.output }),
    };
  },
};

/** Says the steps one after the other, the last one again and again. It is closed after the test file. */
export async function startModelDouble(dialect: DialectName, first: readonly Step[]): Promise<ModelDouble> {
  const requests: DoubleRequest[] = [];
  let script = first;
  let next = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      requests.push({ path: request.url ?? "", headers: request.headers, body });
      const lasting = script.find(({ whileAsked }) => whileAsked !== undefined && body.includes(whileAsked));
      const open = script.filter(({ whileAsked }) => whileAsked === undefined);
      const step = lasting ?? open[Math.min(next, open.length - 1)] ?? {};
      if (!lasting) next += 1;
      answer(response, step, dialect, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const double: ModelDouble = {
    url: `http://127.0.0.1:${port}`,
    requests,
    says(another) {
      script = another;
      next = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return ofTestFile.add(double, () => double.close());
}

function answer(response: ServerResponse, step: Step, dialect: DialectName, asked: string): void {
  if (step.breaks === "never") return;
  if (step.breaks === "trickle" || step.breaks === "flood") return sendWithoutEnd(response, step.breaks);
  const body = step.body ?? JSON.stringify(WRAPPERS[dialect](step.reply?.(asked) ?? step.say ?? {}));
  const length = step.breaks === "half" ? { "content-length": String(Buffer.byteLength(body)) } : {};
  response.writeHead(step.status ?? 200, { "content-type": "application/json", ...length, ...step.headers });
  if (step.breaks === "half") response.write(body.slice(0, body.length / 2), () => response.destroy());
  else response.end(body);
}

/** A byte now and then, or as much as is read, until the client disconnects. */
function sendWithoutEnd(response: ServerResponse, pace: "trickle" | "flood"): void {
  response.writeHead(200, { "content-type": "application/json" });
  const piece = pace === "trickle" ? " " : " ".repeat(256 * 1024);
  const send = () => {
    if (!response.destroyed) response.write(piece, () => setTimeout(send, pace === "trickle" ? 50 : 0));
  };
  send();
}
