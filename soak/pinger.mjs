import { Agent, get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

import { mainThreadMs } from "./main-thread.mjs";

/**
 * Asks a service small questions without end, in a thread of its own: what the soak itself works on must not count. It
 * says when it has begun, and what came of it once it is over.
 */
const BETWEEN_MS = 20;

/** @type {{ readonly url: string, readonly apiKey: string, readonly pid: number, readonly isOver: Int32Array }} */
const { url, apiKey, pid, isOver } = workerData;
const agent = new Agent({ keepAlive: true });

/** @returns {Promise<void>} */
function ping() {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${apiKey}` };
    get(`${url}/v2/team/credit-usage`, { agent, headers }, (response) => {
      response.resume().on("end", () => resolve());
    }).on("error", reject);
  });
}

let [longestMs, busiestMs] = [0, 0];
await ping();
parentPort?.postMessage("begun", []);
let workedMs = mainThreadMs(pid);
while (Atomics.load(isOver, 0) === 0) {
  const startMs = performance.now();
  await ping();
  longestMs = Math.max(longestMs, performance.now() - startMs);
  const nowMs = mainThreadMs(pid);
  busiestMs = Math.max(busiestMs, nowMs - workedMs);
  workedMs = nowMs;
  await pause(BETWEEN_MS);
}
agent.destroy();
parentPort?.postMessage({ longestMs, busiestMs }, []);
