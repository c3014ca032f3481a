import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

import { isExecutable, locateProgram } from "@pergamon-dev/kit/process/programs";
import { type Account, isReadableBy, isRoot } from "@pergamon-dev/browser/launch/account";
import { boxArguments } from "./reader-box.ts";

/** Only readers use this account. Browsers and boxes for code run as `nobody`. */
export const READER: Account = { uid: 65_533, gid: 65_533 };

/** The ways available on this machine to take rights from programs that read hostile files. */
export interface ReaderMeans {
  /** Account of the programs. When undefined, they run as this process does. */
  readonly account: Account | undefined;
  /**
   * `box`: only their own files are visible; `namespaces`: neither the network nor processes of others are
   * visible.
   */
  readonly within: "box" | "namespaces" | undefined;
  /** Path of the program that creates the box or namespaces. */
  readonly maker: string | undefined;
  /** Path of the shell that ends programs when this process has died; undefined where there is none. */
  readonly shell: string | undefined;
  /** Path of setpriv, which keeps programs from gaining rights; undefined where there is none. */
  readonly setpriv: string | undefined;
  /** Reason why there is no separate account. */
  readonly withoutAccount: string | undefined;
  /** Reason why there is no box. */
  readonly withoutBox: string | undefined;
}

const PROGRAM_FOLDERS = "/usr/bin:/bin:/usr/sbin:/sbin";
const PROBE_LIMIT_MS = 10_000;
const SHELL = "/bin/sh";
/** A folder that exists everywhere and that the account may enter. */
const ANY_FOLDER = "/usr";

/** Arguments of unshare, up to the command: no network, and only its own processes. */
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

/** Tries the means of this machine. @param code files that readers must read, besides Node. */
export async function findReaderMeans(code: readonly string[]): Promise<ReaderMeans> {
  if (process.platform !== "linux") return NONE;
  const closed = isRoot() ? await closedTo(READER, code) : "the service is not root";
  const own = closed === undefined ? await meansOf(READER) : undefined;
  // A working box implies a working account; without a box the account is tried alone.
  const failure = own && own.within !== "box" ? await reasonAgainst(READER, SHELL, []) : undefined;
  if (own && failure === undefined) return { ...own, account: READER, withoutAccount: undefined };
  const withoutAccount = closed ?? `no program can be started as another user: ${failure}`;
  return { ...(await meansOf(undefined)), account: undefined, withoutAccount };
}

/** @returns in words the path that the account cannot read; undefined when it can read all. */
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

/**
 * Starts a shell through the given program, and leaves nothing behind. @returns the reason when that fails.
 */
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
