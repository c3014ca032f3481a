import { once } from "node:events";
import { Agent, get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, Worker, workerData } from "node:worker_threads";

import { mainThreadMs } from "./main-thread.mjs";

/**
 * Asks a service small questions without end, in a thread of its own: what the soak itself works on must not count. It
 * says when it has begun, and what came of it once it is over.
 */
const BETWEEN_MS = 20;

/** @type {{ readonly url: string, readonly apiKey: string, readonly pid: number, readonly isOver: Int32Array }} */
const { url, apiKey, pid, isOver } = workerData;
const agent = new Agent({ keepAlive: true });
const idle = new Worker(new URL("idle-server.mjs", import.meta.url));
const [port] = await once(idle, "message");

/**
 * @param {string} address
 * @returns {Promise<number>} how long the answer took
 */
async function ping(address) {
  const startMs = performance.now();
  await new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${apiKey}` };
    get(address, { agent, headers }, (response) => {
      response.resume().on("end", resolve);
    }).on("error", reject);
  });
  return performance.now() - startMs;
}

const pingService = () => ping(`${url}/v2/team/credit-usage`);
const pingIdle = () => ping(`http://127.0.0.1:${port}/`);

let [longestMs, busiestMs, idleMs] = [0, 0, 0];
await pingService();
parentPort?.postMessage("begun", []);
let workedMs = mainThreadMs(pid);
while (Atomics.load(isOver, 0) === 0) {
  const [serviceMs, otherMs] = await Promise.all([pingService(), pingIdle()]);
  longestMs = Math.max(longestMs, serviceMs);
  idleMs = Math.max(idleMs, otherMs);
  const nowMs = mainThreadMs(pid);
  busiestMs = Math.max(busiestMs, nowMs - workedMs);
  workedMs = nowMs;
  await pause(BETWEEN_MS);
}
agent.destroy();
await idle.terminate();
parentPort?.postMessage({ longestMs, busiestMs, idleMs }, []);
