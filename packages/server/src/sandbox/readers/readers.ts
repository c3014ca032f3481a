import { type ChildProcess, execFile, spawn, type StdioOptions } from "node:child_process";
import type { Writable } from "node:stream";
import type { ReaderProcesses, ReaderProgram } from "@pergamon-dev/documents/reader-processes";
import { killGroup } from "@pergamon-dev/kit/process/kill-group";
import { lazy } from "@pergamon-dev/kit/lazy";
import { type Account, isReadableBy } from "@pergamon-dev/browser/launch/account";
import { CALL_TABLES } from "../denied-calls.ts";
import { assembleFilter } from "../seccomp.ts";
import { boxArguments, FILTER_DESCRIPTOR } from "./reader-box.ts";
import { findReaderMeans, INTO_NAMESPACES, type ReaderMeans } from "./reader-means.ts";
import { constants } from "node:fs";
import { chmod, chown, mkdtemp, open, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Readable for the account, in a folder that is closed to other users. */
const FOR_ACCOUNT = 0o644;
const REMOVAL_LIMIT_MS = 10_000;

/** Starts programs that read hostile files with as few rights as this machine allows. */
export interface Readers extends ReaderProcesses {
  putFile: typeof putFile;
  /** @throws Error when it is not a plain file that a reader has made. */
  takeFile(path: string, maxBytes: number): Promise<Uint8Array>;
  /** The process leads a group, and ends with this process, however that ends. */
  start(program: ReaderProgram): Promise<ChildProcess>;
  means(): Promise<ReaderMeans>;
}

interface ReadersOptions {
  /** Our files that readers need, such as their code. */
  readonly code: readonly string[];
  /** Files and folders that no reader may see, wherever they lie. */
  readonly hidden: readonly string[];
  /** Replaces the detection of means in tests. */
  readonly findMeans?: (code: readonly string[]) => Promise<ReaderMeans>;
}

/** Nothing is tried before the first program starts. */
export function openReaders({ code, hidden, findMeans = findReaderMeans }: ReadersOptions): Readers {
  const means = lazy(() => findMeans(code));
  const account = async () => (await means()).account;
  return {
    means,
    makeFolder: async (name) => makeReaderFolder(name, await account()),
    putFile,
    takeFile: async (path, maxBytes) => takeFile(path, maxBytes, await account()),
    removeFolder: async (folder) => removeReaderFolder(folder, await account()),
    start: async (program) => {
      const found = await means();
      return start({ ...program, reads: await readable(program.reads, found) }, found, hidden);
    },
  };
}

/** A box cannot show paths that its account cannot reach. */
async function readable(paths: readonly string[], { account }: ReaderMeans): Promise<readonly string[]> {
  if (!account) return paths;
  const answers = await Promise.all(paths.map((path) => isReadableBy(account, path)));
  return paths.filter((_path, index) => answers[index]);
}

const LIFELINE_DESCRIPTOR = 4;

/**
 * Starts the program, and beside it a shell that kills their group and removes the folder when the lifeline
 * closes. A hostile file may control the reader, which cannot see its starter.
 */
const UNTIL_SERVICE_ENDS = `{ read -r _ <&${LIFELINE_DESCRIPTOR}; /bin/rm -rf -- "$0"; kill -KILL 0; } >/dev/null 2>&1 3>&- ${FILTER_DESCRIPTOR}<&- & exec "$@" ${LIFELINE_DESCRIPTOR}<&-`;

function start(program: ReaderProgram, means: ReaderMeans, hidden: readonly string[]): ChildProcess {
  const { folder, environment, stdio } = program;
  const filter = means.within === "box" ? filterOfCalls() : undefined;
  const [path, ...args] = commandOf(program, { ...means, hidden, hasFilter: filter !== undefined });
  const streams: StdioOptions = [
    ...stdio,
    means.shell === undefined ? "ignore" : "pipe",
    filter ? "pipe" : "ignore",
  ];
  const child = spawn(path, args, {
    cwd: folder,
    env: environment,
    stdio: streams,
    serialization: "advanced",
    // A separate process group, which can be ended as a whole.
    detached: true,
    ...means.account,
  });
  const [, , , , lifeline, filterPipe] = child.stdio as unknown as Streams;
  for (const stream of [lifeline, filterPipe]) stream?.on("error", () => undefined);
  child.once("exit", () => {
    // The shell must not remove the program's output.
    killGroup(child.pid);
    lifeline?.destroy();
  });
  filterPipe?.end(filter);
  return child;
}

type Streams = readonly [unknown, unknown, unknown, unknown, Writable | null, Writable | null];

interface Command extends ReaderMeans {
  readonly hidden: readonly string[];
  readonly hasFilter: boolean;
}

function commandOf(
  { path, args, folder, reads, hasNetwork }: ReaderProgram,
  { within, maker = "", shell, setpriv, hidden, hasFilter }: Command,
): readonly [string, ...string[]] {
  const confined = {
    box: [maker, ...boxArguments({ folder, reads, hidden, hasNetwork, hasFilter })],
    namespaces: [
      maker,
      ...INTO_NAMESPACES.filter((word) => !hasNetwork || word !== "--net"),
      ...withoutRights(setpriv),
    ],
    none: withoutRights(setpriv),
  };
  const command = [...confined[within ?? "none"], path, ...args] as [string, ...string[]];
  return shell === undefined ? command : [shell, "-c", UNTIL_SERVICE_ENDS, folder, ...command];
}

function withoutRights(setpriv: string | undefined): readonly string[] {
  return setpriv === undefined ? [] : [setpriv, "--no-new-privs", "--inh-caps=-all", "--"];
}

const filterOfCalls = lazy(() => {
  const table = CALL_TABLES[process.arch];
  return table && assembleFilter(table);
});

/** Creates an empty folder that only the account can enter. */
async function makeReaderFolder(name: string, account: Account | undefined): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `pergamon-${name}-`));
  await chmod(folder, 0o700);
  if (account) await chown(folder, account.uid, account.gid);
  return folder;
}

/** Puts a file into the folder before a program starts in it. */
async function putFile(
  folder: string,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  signal: AbortSignal,
): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, bytes, { signal, flag: "wx" });
  await chmod(path, FOR_ACCOUNT);
}

/**
 * Reads a file that a program has left in its folder.
 * NOTE: the file may be a trap, such as a link to a secret file, or a pipe that never ends.
 * @throws Error when it is not a plain file of the account, or is too large.
 */
async function takeFile(path: string, maxBytes: number, account: Account | undefined): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const status = await file.stat();
    const owner = account?.uid ?? process.geteuid?.() ?? status.uid;
    if (!status.isFile() || status.nlink !== 1 || status.uid !== owner) {
      throw new Error(`${path} is not a file that the program has made.`);
    }
    if (status.size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes.`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** NOTE: files of another account may be a trap for root, such as links that change during the check. */
async function removeReaderFolder(folder: string, account: Account | undefined): Promise<void> {
  if (!account) return rm(folder, { recursive: true, force: true }).catch(() => undefined);
  const options = { ...account, cwd: "/", env: {}, timeout: REMOVAL_LIMIT_MS };
  await promisify(execFile)("/bin/rm", ["-rf", "--", folder], options).catch(() => undefined);
  // When the account may not change the parent folder, its own empty folder remains.
  await rmdir(folder).catch(() => undefined);
}
