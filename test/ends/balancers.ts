import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

const OWN = fileURLToPath(new URL("../../deploy/cluster/balancer.mjs", import.meta.url));

export interface Balancer {
  readonly url: string;
  stop(): Promise<void>;
}

/** A kind of balancer, and how long a node has to go on for it after it was asked to end. */
export interface BalancerKind {
  readonly drainDelaySeconds: number;
  /** @param nodes - Their URLs. */
  start(nodes: readonly string[]): Promise<Balancer>;
}

/** `deploy/cluster/balancer.mjs`: it asks `/readyz` five times a second. */
export const ownBalancer: BalancerKind = {
  drainDelaySeconds: 2,
  async start(nodes) {
    const child = spawn(process.execPath, [OWN, "0", ...nodes], { stdio: ["ignore", "pipe", "inherit"] });
    return { url: await listeningUrl(child), stop: () => ended(child) };
  },
};

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

async function listeningUrl(child: ChildProcess): Promise<string> {
  for await (const chunk of child.stdout ?? []) {
    const url = /listens on (\S+)/.exec(String(chunk))?.[1];
    if (url !== undefined) return url;
  }
  throw new Error("The balancer did not start.");
}

/** A port of the loopback interface that is free at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
