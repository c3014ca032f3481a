import { execFile } from "node:child_process";
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

import { type Account, isRoot } from "./account.ts";
import { temporaryFolderFor } from "./temporary-folder.ts";

const PREFIX = "pergamon-browser-";
/** Names inside the folder: the socket of the owner, and the browser's data. */
const OWNER_SOCKET = "owner";
const DATA = "data";
/**
 * After this time, a folder without an owner socket counts as abandoned. Before, its process may still be
 * creating it.
 */
const UNCLAIMED_MS = 24 * 60 * 60 * 1000;

/** A folder for the files that a browser writes while it runs. */
export interface BrowserFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Creates a folder, and hands it over to the account if there is one. Removes folders of processes that were
 * killed.
 * NOTE: process ids do not identify owners, because containers that share the temporary folder number their
 * own. So the owner listens on a socket in the folder, which the system closes when the owner ends.
 */
export async function makeBrowserFolder(account?: Account): Promise<BrowserFolder> {
  const folder = await temporaryFolderFor(account);
  await removeAbandoned(folder);
  const outer = await mkdtemp(join(folder, `${PREFIX}${process.pid}-`));
  const owner = await claim(outer);
  const path = join(outer, DATA);
  await mkdir(path, { mode: 0o700 });
  if (account) {
    await chmod(outer, 0o711);
    await chown(path, account.uid, account.gid);
  }
  const remove = async () => {
    owner.close();
    await removeFolder(outer);
  };
  return { path, remove };
}

/**
 * NOTE: when the path is too long for a socket there is none, and the folder counts as abandoned after a day.
 */
async function claim(outer: string): Promise<Server> {
  const server = createServer((visitor) => {
    visitor.on("error", () => undefined);
    visitor.destroy();
  }).unref();
  await new Promise<void>((resolve) => {
    server.on("error", () => resolve());
    server.listen(join(outer, OWNER_SOCKET), resolve);
  });
  return server;
}

async function removeAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  const folders = names.filter((name) => name.startsWith(PREFIX)).map((name) => join(parent, name));
  await Promise.all(
    folders.map(async (folder) => {
      if (await isAbandoned(folder).catch(() => false)) await removeFolder(folder).catch(() => undefined);
    }),
  );
}

/** Ignores files of other users, which may be a trap for root. */
async function isAbandoned(folder: string): Promise<boolean> {
  const { uid, mtimeMs } = await lstat(folder);
  if (uid !== process.getuid?.()) return false;
  const answer = await askOwner(folder);
  if (answer === "ENOENT") return Date.now() - mtimeMs > UNCLAIMED_MS;
  return answer === "ECONNREFUSED";
}

/** @returns `connected`, or the system's error code. */
function askOwner(folder: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(join(folder, OWNER_SOCKET));
    socket.on("error", (failure: NodeJS.ErrnoException) => resolve(failure.code));
    socket.on("connect", () => {
      socket.destroy();
      resolve("connected");
    });
  });
}

async function removeFolder(outer: string): Promise<void> {
  await removeData(join(outer, DATA));
  await rm(outer, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/**
 * NOTE: files that another account writes may be a trap for root, such as links that change during the
 * removal.
 */
async function removeData(path: string): Promise<void> {
  const status = await lstat(path).catch(() => undefined);
  if (!status || !isRoot() || status.uid === 0) return;
  const { uid, gid } = status;
  await promisify(execFile)("/bin/rm", ["-rf", "--", path], { uid, gid, cwd: "/" }).catch(() => undefined);
  const left = await readdir(path);
  if (left.length > 0) throw new Error(`${path} could not be emptied.`);
}
