import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const OWN = fileURLToPath(new URL("../../deploy/cluster/balancer.mjs", import.meta.url));
const CADDYFILE = new URL("../../deploy/cluster/Caddyfile", import.meta.url);
/** In the Caddyfile: the port of the balancer, and the nodes of compose.cluster.yaml. */
const PORT = /^:3002 /m;
const NODES = "node-a:3002 node-b:3002";

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

/** Caddy with the Caddyfile of compose.cluster.yaml, in which only addresses are replaced. */
export function caddyBalancer(program: string): BalancerKind {
  return {
    // Two questions, two seconds apart, each of which may take three.
    drainDelaySeconds: 10,
    async start(nodes) {
      const port = await freePort();
      const folder = await mkdtemp(join(tmpdir(), "caddy-"));
      const written = await readFile(CADDYFILE, "utf8");
      if (!PORT.test(written) || !written.includes(NODES))
        throw new Error("The Caddyfile has other addresses.");
      const addresses = nodes.map((url) => new URL(url).host).join(" ");
      const text = written.replace(PORT, `http://127.0.0.1:${port} `).replace(NODES, addresses);
      await writeFile(join(folder, "Caddyfile"), `{\n\tadmin off\n\tauto_https off\n}\n${text}`);
      const child = spawn(program, ["run", "--config", join(folder, "Caddyfile")], {
        env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
        stdio: "ignore",
      });
      return {
        url: `http://127.0.0.1:${port}`,
        stop: async () => {
          await ended(child);
          await rm(folder, { recursive: true, force: true });
        },
      };
    },
  };
}

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
