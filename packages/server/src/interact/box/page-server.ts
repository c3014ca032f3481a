import { rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

import { AgentBrowser } from "../agent-browser/agent-browser.ts";
import { runAgentCommand } from "../agent-browser/all.ts";
import { PAGE_SOCKET } from "./messages.ts";
import { type RemoteAnswer, type RemoteCall, RemoteObjects } from "./remote-objects.ts";
import type { BoxPage } from "./session-page.ts";
import { failureText } from "./value-text.ts";

/** What programs of the box ask: a command of `agent-browser`, or a method of an object of Playwright. */
type Question = { readonly agent: readonly string[] } | RemoteCall;

/** Lets other programs of the box work on the page: one line of JSON each way, one after the other. */
export function servePage(session: BoxPage): void {
  const agent = new AgentBrowser({
    page: () => session.page,
    use: (page) => session.use(page as BoxPage["page"]),
    saveFile: async (path, bytes) => writeFileSync(path, bytes),
  });
  const answer = async (question: Question, objects: RemoteObjects): Promise<RemoteAnswer> => {
    try {
      if (!("agent" in question)) return await objects.call(question);
      return { value: await runAgentCommand(agent, question.agent) };
    } catch (failure) {
      return { error: failureText(failure) };
    }
  };
  const serve = async (visitor: Socket) => {
    visitor.on("error", () => undefined);
    const objects = new RemoteObjects(() => session.objectsNow);
    for await (const line of createInterface({ input: visitor })) {
      visitor.write(`${JSON.stringify(await answer(JSON.parse(line) as Question, objects))}\n`);
    }
  };
  rmSync(PAGE_SOCKET, { force: true });
  createServer((visitor) => void serve(visitor).catch(() => visitor.destroy())).listen(PAGE_SOCKET);
}
