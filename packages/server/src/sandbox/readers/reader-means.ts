import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

import { isExecutable, locateProgram } from "@pergamon-dev/kit/process/programs";
import { type Account, isReadableBy, isRoot } from "@pergamon-dev/browser/launch/account";
import { boxArguments } from "./reader-box.ts";

/** Readers share it with nothing else: neither with browsers nor with boxes for code, which run as `nobody`. */
export const READER: Account = { uid: 65_533, gid: 65_533 };

/** How programs that read hostile files lose the rights of this process, on this machine. */
export interface ReaderMeans {
  /** Whom they run as. Undefined: as this process. */
  readonly account: Account | undefined;
  /** `box`: only their own files are there; `namespaces`: neither network nor processes of others are there. */
  readonly within: "box" | "namespaces" | undefined;
  /** Path of the program that makes these. */
  readonly maker: string | undefined;
  /** Path of the shell that ends what outlives this process; undefined where there is none. */
  readonly shell: string | undefined;
  /** Path of setpriv, which keeps programs from getting rights; undefined where there is none. */
  readonly setpriv: string | undefined;
  /** Why there is no account of their own. */
  readonly withoutAccount: string | undefined;
  /** Why there is no box. */
  readonly withoutBox: string | undefined;
}

const PROGRAM_FOLDERS = "/usr/bin:/bin:/usr/sbin:/sbin";
const PROBE_LIMIT_MS = 10_000;
const SHELL = "/bin/sh";
/** Which is there, and which the account may enter. */
const ANY_FOLDER = "/usr";

/** Of unshare, up to the command: no network, and no processes but its own. */
export const INTO_NAMESPACES =
  "--user --map-current-user --net --ipc --pid --fork --kill-child --mount-proc --".split(" ");

const NONE: ReaderMeans = {
  account: undefined,
  within: undefined,
  maker: undefined,
  shell: undefined,
  setpriv: undefined,
  withoutAccount: `that needs Linux, this is ${process.platform}`,
  withoutBox: `boxes need Linux, this is ${process.platform}`,
};

/** Tries what this machine can do. @param code files that readers have to read, besides Node */
export async function findReaderMeans(code: readonly string[]): Promise<ReaderMeans> {
  if (process.platform !== "linux") return NONE;
  const closed = isRoot() ? await closedTo(READER, code) : "the service is not root";
  const own = closed === undefined ? await meansOf(READER) : undefined;
  // What holds a box holds the account, too; without a box it is tried alone.
  const failure = own && own.within !== "box" ? await reasonAgainst(READER, SHELL, []) : undefined;
  if (own && failure === undefined) return { ...own, account: READER, withoutAccount: undefined };
  const withoutAccount = closed ?? `no program can be started as another user: ${failure}`;
  return { ...(await meansOf(undefined)), account: undefined, withoutAccount };
}

/** @returns which of these the account cannot read; nothing when it can read them all. */
async function closedTo(account: Account, code: readonly string[]): Promise<string | undefined> {
  for (const path of [process.execPath, tmpdir(), ...code]) {
    if (!(await isReadableBy(account, path))) return `${path} can be read by root alone`;
  }
  return undefined;
}

async function meansOf(
  account: Account | undefined,
): Promise<Omit<ReaderMeans, "account" | "withoutAccount">> {
  const box = { folder: ANY_FOLDER, reads: [], hidden: [], hasNetwork: false, hasFilter: false };
  const withoutBox = await reasonAgainst(account, "bwrap", [...boxArguments(box), SHELL]);
  const hasNamespaces =
    withoutBox !== undefined &&
    (await reasonAgainst(account, "unshare", [...INTO_NAMESPACES, SHELL])) === undefined;
  const within = withoutBox === undefined ? "box" : hasNamespaces ? "namespaces" : undefined;
  return {
    within,
    maker: await locateProgram(within === "box" ? "bwrap" : "unshare", PROGRAM_FOLDERS),
    shell: (await isExecutable(SHELL)) ? SHELL : undefined,
    setpriv: await locateProgram("setpriv", PROGRAM_FOLDERS),
    withoutBox,
  };
}

/** Starts a shell behind such a program, and leaves nothing behind. @returns why that does not work. */
async function reasonAgainst(
  account: Account | undefined,
  program: string,
  args: readonly string[],
): Promise<string | undefined> {
  const path = program === SHELL ? SHELL : await locateProgram(program, PROGRAM_FOLDERS);
  if (path === undefined) return `${program} is not installed`;
  try {
    const options = { ...account, cwd: "/", env: {}, timeout: PROBE_LIMIT_MS };
    await promisify(execFile)(path, [...args, "-c", ":"], options);
    return undefined;
  } catch (failure) {
    const { stderr = "", message } = failure as Error & { readonly stderr?: string };
    return stderr.trim().split("\n").at(-1) || message;
  }
}
