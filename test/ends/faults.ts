import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdir, readdir, rmdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";

import packet from "dns-packet";

import { openDatabase } from "../../packages/server/src/storage/database/drivers.ts";
import {
  findPostgres,
  startPostgres,
} from "../../packages/server/src/storage/database/postgres-server.suite.ts";
import type { SoakService } from "../service-process.ts";

const run = promisify(execFile);

/** Something that a service needs, and that can be taken away from it. */
export interface Fault {
  readonly settings?: Readonly<Record<string, string>>;
  /** Under what name the site is known. Default: its address. */
  readonly host?: string;
  /** Whether it is taken away before anything was visited. */
  readonly isBeforeFirstPage?: boolean;
  take(service: SoakService): Promise<void>;
  giveBack(service: SoakService): Promise<void>;
  close(): Promise<void>;
}

/** Each is undefined where it cannot be taken away. */
export const faults: Readonly<Record<string, (dataDir: string) => Promise<Fault | undefined>>> = {
  blobs: openBlobsFault,
  lock: openLockFault,
  database: openDatabaseFault,
  disk: async () => limitFault("fsize", async () => 0),
  files: async () => ({ ...limitFault("nofile", openFiles), isBeforeFirstPage: true }),
  memory: openMemoryFault,
  names: openNamesFault,
  network: openNetworkFault,
};

const nothing = async (): Promise<void> => undefined;

/** A store that speaks as much of S3 as is asked of it, and answers 503. */
async function openBlobsFault(): Promise<Fault> {
  const objects = new Map<string, Buffer>();
  let isAway = false;
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "").replace(/\?.*/, "");
    const body = await buffer(request);
    if (isAway) return response.writeHead(503).end();
    if (request.headers.authorization === undefined) return response.writeHead(403).end();
    if (request.method === "PUT") objects.set(path, body);
    if (request.method === "DELETE") objects.delete(path);
    if (request.method !== "GET") return response.end();
    if ((request.url ?? "").includes("list-type")) return response.end("<ListBucketResult/>");
    const found = objects.get(path);
    return found ? response.end(found) : response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    settings: { BLOBS_URL: `s3://key:secret@127.0.0.1:${port}/bucket` },
    take: async () => void (isAway = true),
    giveBack: async () => void (isAway = false),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Another process that writes, and does not end. */
async function openLockFault(dataDir: string): Promise<Fault> {
  let release = (): void => undefined;
  let held: Promise<void> = Promise.resolve();
  return {
    async take() {
      const database = await openDatabase(`sqlite:${dataDir}/pergamon.db`);
      await new Promise<void>((taken) => {
        held = database.transaction(async () => {
          taken();
          await new Promise<void>((resolve) => (release = resolve));
        });
      });
      held = held.finally(() => database.close());
    },
    async giveBack() {
      release();
      await held;
    },
    close: nothing,
  };
}

async function openDatabaseFault(dataDir: string): Promise<Fault | undefined> {
  const programs = findPostgres();
  if (!programs) return undefined;
  const server = await startPostgres(programs);
  return {
    settings: {
      DATABASE_URL: await server.migrated("bad_days"),
      SECRET_KEY: randomBytes(32).toString("base64"),
      BLOBS_URL: `file:${dataDir}/blobs`,
    },
    take: () => server.crash(),
    giveBack: () => server.start(),
    close: () => server.stop(),
  };
}

/** A limit of the process, which is set while it runs. */
function limitFault(name: string, limitOf: (pid: number) => Promise<number>): Fault {
  const set = (pid: number, value: string) => run("prlimit", ["--pid", String(pid), `--${name}=${value}:`]);
  let before = "unlimited";
  return {
    async take({ pid }) {
      const { stdout } = await run("prlimit", [
        "--pid",
        String(pid),
        `--${name}`,
        "--noheadings",
        "-o",
        "SOFT",
      ]);
      before = stdout.trim();
      await set(pid, String(await limitOf(pid)));
    },
    giveBack: async ({ pid }) => void (await set(pid, before)),
    close: nothing,
  };
}

/** The lowest number that is free, and one more: the limit is one of numbers. */
async function openFiles(pid: number): Promise<number> {
  const taken = new Set((await readdir(`/proc/${pid}/fd`)).map(Number));
  let free = 0;
  while (taken.has(free)) free += 1;
  return free + 1;
}

const GROUPS = "/sys/fs/cgroup/memory";
/** Less than the service wants to have left. What it takes already is not counted to the group. */
const LEFT_BYTES = 90 * 1024 * 1024;

/** A control group in which little is left. */
async function openMemoryFault(): Promise<Fault | undefined> {
  const group = `${GROUPS}/bad-days-${process.pid}`;
  const isThere = await mkdir(group).then(
    () => true,
    () => false,
  );
  if (!isThere) return undefined;
  const limit = (bytes: number) => writeFile(`${group}/memory.limit_in_bytes`, String(bytes));
  return {
    async take({ pid }) {
      await writeFile(`${group}/cgroup.procs`, String(pid));
      await limit(LEFT_BYTES);
    },
    giveBack: () => limit(-1),
    async close() {
      await rmdir(group).catch(() => undefined);
    },
  };
}

const SERVERS_FAILURE = 2;

/** A name server that says it cannot find out anything. */
async function openNamesFault(): Promise<Fault> {
  const socket = createSocket("udp4");
  let isAway = false;
  socket.on("message", (bytes, peer) => {
    const { id = 0, questions = [] } = packet.decode(bytes);
    const isAddress = questions[0]?.type === "A";
    const answers = questions.map(({ name }) => ({ type: "A" as const, name, ttl: 0, data: "127.0.0.1" }));
    const flags = packet.RECURSION_AVAILABLE | (isAway ? SERVERS_FAILURE : 0);
    const reply = { type: "response" as const, id, flags, questions };
    socket.send(
      packet.encode({ ...reply, answers: isAddress && !isAway ? answers : [] }),
      peer.port,
      peer.address,
    );
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    settings: { DNS_SERVERS: `127.0.0.1:${socket.address().port}` },
    host: "site.test",
    take: async () => void (isAway = true),
    giveBack: async () => void (isAway = false),
    close: async () => void socket.close(),
  };
}

/** The only interface, in a network of its own: `unshare --net` has to have begun this process. */
async function openNetworkFault(): Promise<Fault | undefined> {
  const { stdout } = await run("ip", ["-o", "link"]).catch(() => ({ stdout: "" }));
  if (stdout.trim().split("\n").length !== 1) return undefined;
  const set = (state: string) => run("ip", ["link", "set", "lo", state]);
  return {
    take: async () => void (await set("down")),
    giveBack: async () => void (await set("up")),
    close: nothing,
  };
}
