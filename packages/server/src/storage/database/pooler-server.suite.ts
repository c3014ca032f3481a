import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { answers, type PostgresServer, UNPRIVILEGED } from "./postgres-server.suite.ts";

const PATHS = ["/usr/sbin/pgbouncer", "/usr/local/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"];
const PORT = 6432;

/** A pooler in transaction mode in front of a server. */
export interface Pooler {
  /** @param url of a database of the server, in the schema `public`. */
  through(url: string): string;
  stop(): Promise<void>;
}

/** The program of PgBouncer; undefined where it is not installed, which is reported. */
export function findPooler(): string | undefined {
  const found = PATHS.find((path) => existsSync(path));
  if (found === undefined)
    console.warn("PgBouncer is not installed (Debian: pgbouncer): the way through it is NOT tested.");
  return found;
}

export async function startPooler(program: string, server: PostgresServer): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), "pooler-"));
  const owner = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  if (owner.uid !== undefined) await chown(folder, owner.uid, owner.gid);
  await chmod(folder, 0o755);
  const { hostname, searchParams } = new URL(server.url("public"));
  const settings = [
    "[databases]",
    `* = host=${searchParams.get("host") ?? hostname} user=pergamon`,
    "[pgbouncer]",
    "pool_mode = transaction",
    "auth_type = any",
    "listen_addr =",
    `listen_port = ${PORT}`,
    `unix_socket_dir = ${folder}`,
    // Fewer than the connections of two clients, so that these are shared.
    "default_pool_size = 8",
    "max_client_conn = 1000",
    // Seconds after which a server that was not reached is tried again. Default: 15, longer than clients wait.
    "server_login_retry = 1",
  ];
  await writeFile(join(folder, "pgbouncer.ini"), settings.join("\n"));
  const child = spawn(program, [join(folder, "pgbouncer.ini")], { stdio: "ignore", ...owner });
  await answers({ host: folder, port: PORT });
  return {
    through(url) {
      const address = new URL(url);
      address.port = String(PORT);
      address.searchParams.set("host", folder);
      return address.href;
    },
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
