import { parentPort } from "node:worker_threads";

import type { ThreadCall, ThreadReply } from "./thread-messages.ts";
import { compareVersions, computeViews, matchPatterns } from "./worker.ts";

/** Program of a page thread, which answers one call after the other. */
const functions: Readonly<Record<ThreadCall["name"], (task: never) => unknown>> = {
  computeViews: (task) => computeViews(task),
  compareVersions,
  matchPatterns: (task) => matchPatterns(task),
};

const port = parentPort;
if (!port) throw new Error("This runs in a thread.");
const send = (reply: ThreadReply) => port.postMessage(reply);

port.on("message", ({ name, task }: ThreadCall) => {
  void answer(name, task);
});
send({ kind: "ready" });

async function answer(name: ThreadCall["name"], task: unknown): Promise<void> {
  try {
    send({ kind: "value", value: await functions[name](task as never) });
  } catch (failure) {
    send({ kind: "failure", failure });
  }
}
