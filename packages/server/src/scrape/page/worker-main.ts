import { MessageChannel, parentPort } from "node:worker_threads";

import { collectWhenIdle } from "@pergamon-dev/kit/loop/collect-when-idle";
import { vectorOf } from "../../history/page-index/text-vector.ts";
import type { ThreadCall, ThreadReply } from "./thread-messages.ts";
import { compareVersions, computeViews, matchPatterns, type PageTask } from "./worker.ts";

/** Program of a page thread, which answers one call after the other. */
const functions: Readonly<Record<ThreadCall["name"], (task: never) => unknown>> = {
  computeViews: (task) => computeViews(task),
  compareVersions,
  matchPatterns: (task) => matchPatterns(task),
  vectorOf,
};

const port = parentPort;
if (!port) throw new Error("This runs in a thread.");
const send = (reply: ThreadReply) => port.postMessage(reply);

collectWhenIdle();

/** A closed port frees at once what it is handed. */
const { port1: nowhere } = new MessageChannel();
nowhere.close();

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
  if (name === "computeViews")
    nowhere.postMessage(undefined, [(task as PageTask).source.capture.body.buffer as ArrayBuffer]);
}
