import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { ofTestFile } from "@pergamon-dev/kit/test-file.suite";

/** A step that is looked for on the page as it is shown. */
export interface ScriptedStep {
  readonly tool: string;
  /** What the line of the element looks like; its reference is sent. */
  readonly on?: RegExp;
  readonly text?: string;
  /** What of the page is the answer: the first group, or all that fits. */
  readonly answer?: RegExp;
  readonly success?: boolean;
  readonly note?: string;
  /** Sent as it is, instead of the rest. */
  readonly raw?: string;
}

/** A model on loopback that finds the elements of its script on the pages that it is shown. */
export interface ScriptedModel {
  readonly url: string;
  /** What it was shown, question by question. */
  readonly shown: readonly { readonly system: string; readonly user: string }[];
  /** What is done next, from the first step on. */
  play(steps: readonly ScriptedStep[]): void;
  close(): void;
}

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** Speaks as OpenAI-compatible servers do. */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const shown: { system: string; user: string }[] = [];
  let script: readonly ScriptedStep[] = [];
  let next = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      const { messages } = JSON.parse(body) as ChatRequest;
      const text = (role: string) => messages.find((message) => message.role === role)?.content ?? "";
      shown.push({ system: text("system"), user: text("user") });
      const step = script[next] ?? { tool: "done", text: "The script is over.", success: false };
      next += 1;
      const content = step.raw ?? JSON.stringify(sayingOf(step, text("user")));
      const message = { role: "assistant", content };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: "stop", message }] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const model: ScriptedModel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shown,
    play(steps) {
      script = steps;
      next = 0;
      shown.length = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return ofTestFile.add(model, () => model.close());
}

function sayingOf({ tool, on, text, answer, success, note }: ScriptedStep, page: string): object {
  const line = on && page.split("\n").find((one) => on.test(one) && /\[e\d+\]/.test(one));
  const ref = line && /\[(e\d+)\]/.exec(line)?.[1];
  const giveUp = (why: string) => ({
    tool: "done",
    input: { answer: `${why} in:\n${page}`, success: false },
  });
  if (on && !ref) return giveUp(`There is no ${String(on)}`);
  const found = answer?.exec(page);
  if (answer && !found) return giveUp(`No ${String(answer)}`);
  const said = found ? (found[1] ?? found[0]) : text;
  const input = tool === "done" ? { answer: said, success } : { ref, text: said };
  return { tool, input, note };
}
