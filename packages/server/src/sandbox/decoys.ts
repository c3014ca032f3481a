import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type ListenOptions } from "node:net";
import { join } from "node:path";

import { Resources } from "@pergamon-dev/kit/resources";
import type { Account } from "@pergamon-dev/browser/launch/account";
import { temporaryFolderFor } from "@pergamon-dev/browser/launch/temporary-folder";

/** Targets that a box must not reach. Outside a box anybody can, so only the box can hold the probes back. */
export interface Decoys {
  readonly folder: string;
  readonly file: string;
  /** Port on the loopback addresses. */
  readonly port: number;
  readonly socketPath: string;
  readonly abstractName: string;
  /** Process of the same user as the box, and a word of its command line. */
  readonly pid: number;
  readonly secret: string;
}

/** @param account user of the boxes. */
export async function openDecoys(account: Account | undefined): Promise<Decoys & { close(): Promise<void> }> {
  const opened = new Resources();
  const secret = randomUUID();
  const parent = await temporaryFolderFor(account);
  const folder = opened.add(await mkdtemp(join(parent, "pergamon-decoy-")), (path) =>
    rm(path, { recursive: true, force: true }),
  );
  const [file, socketPath] = [join(folder, "file"), join(folder, "socket")];
  await writeFile(file, secret);
  const port = (await listen({ host: "127.0.0.1", port: 0 }, opened)) ?? 0;
  // Machines without IPv6 have no such target.
  await listen({ host: "::1", port }, opened).catch(() => undefined);
  await listen({ path: socketPath }, opened);
  await listen({ path: `\0${secret}` }, opened).catch(() => undefined);
  await chmod(folder, 0o755);
  await chmod(socketPath, 0o777);
  const pid = startWaiting(secret, account, opened);
  const close = () => opened.close();
  return { folder, file, port, socketPath, abstractName: secret, pid, secret, close };
}

/** @returns the port of a TCP listener. */
async function listen(options: ListenOptions, opened: Resources): Promise<number | undefined> {
  const server = createServer((visitor) => {
    visitor.on("error", () => undefined);
    visitor.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options, resolve);
  });
  opened.add(server, () => {
    server.close();
  });
  const address = server.address();
  return typeof address === "object" ? address?.port : undefined;
}

/** Starts a process that idles until its input ends. */
function startWaiting(secret: string, account: Account | undefined, opened: Resources): number {
  const child = spawn("/bin/sh", ["-c", "read line", secret], {
    stdio: ["pipe", "ignore", "ignore"],
    env: {},
    cwd: "/",
    ...account,
  });
  child.on("error", () => undefined);
  child.stdin?.on("error", () => undefined);
  opened.add(child, () => {
    child.kill("SIGKILL");
  });
  return child.pid ?? 0;
}
