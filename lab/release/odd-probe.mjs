// Starts the built service where it stands, scrapes one of its own pages, and prints as JSON what came of it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

import { freePort, ROOT } from "./tools.mjs";

const START_LIMIT_MS = 90_000;
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const env = { ...process.env, PORT: String(port), AUTH: "open", EGRESS_ALLOW: "127.0.0.1", LOG_FORMAT: "json" };
const child = spawn(process.execPath, ["dist/main.js"], { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
let said = "";
for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (said += bytes));
const ended = once(child, "exit");
const scrape = async (target) => {
  const response = await fetch(`${url}/v2/scrape`, { method: "POST", body: JSON.stringify({ url: target, timeout: 60_000 }) });
  return { status: response.status, ...(await response.json()) };
};

const latest = Date.now() + START_LIMIT_MS;
let isReady = false;
while (!isReady && child.exitCode === null && Date.now() < latest) {
  isReady = await fetch(`${url}/readyz`).then(({ status }) => status === 200, () => false);
  if (!isReady) await sleep(200);
}
const page = isReady ? await scrape(`${url}/v2/unknown`) : undefined;
const name = isReady ? await scrape("http://name.example/") : undefined;
child.kill("SIGTERM");
const [code] = await ended;
console.log(JSON.stringify({ isReady, code, page: page?.status, name: name?.code ?? name?.status, said: said.trim().split("\n") }));
