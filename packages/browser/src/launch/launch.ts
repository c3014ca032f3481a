import { type Account, isReadableBy, isRoot, NOBODY } from "./account.ts";
import { type BrowserProcess, startBrowser } from "./browser-process.ts";
import { launchFlags } from "./launch-flags.ts";

export interface LaunchOptions {
  readonly path: string;
  /** What the program prints as its version. */
  readonly version: string;
  /** Whether it is the browser of a phone. Default: false. */
  readonly isPhone?: boolean;
  /** Environment variables that this program needs, such as the paths of its libraries and fonts. */
  readonly environment: Readonly<Record<string, string>>;
  /** `auto` turns the sandbox on, unless the system does not allow it. */
  readonly sandbox: "auto" | "on" | "off";
  /** Whether frames of other sites run in separate processes, which costs more. Default: false. */
  readonly isolatesSites?: boolean;
  /** Whether pages may open others. Default: false. */
  readonly opensWindows?: boolean;
  /** Called with warnings for the operator, at each start. */
  readonly warn?: (sentence: string) => void;
}

/**
 * Starts a Chromium.
 * @throws BrowserFailure of kind `unavailable`; the signal's reason once it is aborted.
 */
export type Launcher = (signal: AbortSignal) => Promise<BrowserProcess>;

/** One account and sandbox setting to try. */
interface Way {
  /** Undefined runs it as this process's user. */
  readonly account: Account | undefined;
  readonly hasSandbox: boolean;
}

/** Error texts of programs and the system about missing permissions. */
const NOT_ALLOWED = /sandbox|namespace|EACCES|EPERM|EINVAL|permission denied|not permitted/i;

/** Starts the same program on each call, in the safest way that this system allows. */
export function openLauncher(options: LaunchOptions): Launcher {
  let known: readonly Way[] | undefined;

  return async (signal) => {
    let ways = known ?? (await waysOf(options));
    for (;;) {
      try {
        const started = await startBy(ways[0], options, signal);
        known = ways;
        return started;
      } catch (failure) {
        signal.throwIfAborted();
        ways = ways.slice(1);
        if (ways.length === 0 || !NOT_ALLOWED.test(String(failure))) throw failure;
      }
    }
  };
}

async function startBy(
  way: Way | undefined,
  { path, environment, sandbox, warn, ...options }: LaunchOptions,
  signal: AbortSignal,
): Promise<BrowserProcess> {
  const { account, hasSandbox = false } = way ?? {};
  const { version, isPhone = false, isolatesSites = false, opensWindows = false } = options;
  const rules = { version, isPhone, isolatesSites, opensWindows };
  const flags = [...launchFlags(rules), ...(hasSandbox ? [] : ["--no-sandbox"])];
  const started = await startBrowser({ path, environment, flags, account }, signal);
  if (isRoot() && !account) warn?.(rootWarning(path));
  else if (!hasSandbox && sandbox === "auto")
    warn?.("The system does not allow Chromium's sandbox, so Chromium runs without it. See BROWSER_SANDBOX.");
  return started;
}

/** A page that breaks out of Chromium gets the rights of the account, so root uses another one. */
async function waysOf(options: LaunchOptions): Promise<readonly Way[]> {
  const accounts = isRoot() ? await accountsForRoot(options) : [undefined];
  const sandboxes = { on: [true], off: [false], auto: [true, false] }[options.sandbox];
  const ways = accounts.flatMap((account) => sandboxes.map((hasSandbox) => ({ account, hasSandbox })));
  // Chromium refuses to run as root with its sandbox, and reports that itself.
  return options.sandbox === "auto"
    ? ways.filter(({ account, hasSandbox }) => account || !isRoot() || !hasSandbox)
    : ways;
}

async function accountsForRoot(options: LaunchOptions): Promise<readonly (Account | undefined)[]> {
  return (await isOpenTo(NOBODY, options)) ? [NOBODY, undefined] : [undefined];
}

/**
 * Whether the account can start the program: neither it nor the paths in its variables are in a folder closed
 * to others.
 */
export async function isOpenTo(
  account: Account,
  { path, environment }: Pick<LaunchOptions, "path" | "environment">,
): Promise<boolean> {
  const { PATH: _searched, ...named } = environment;
  const needed = [path, ...Object.values(named).filter((value) => value.startsWith("/"))];
  const isOpen = await Promise.all(needed.map((file) => isReadableBy(account, file)));
  return isOpen.every(Boolean);
}

function rootWarning(path: string): string {
  return `Chromium runs as root and without its sandbox: a page that exploits it controls this machine. Run the service as another user, or install a browser that all users can read (${path} is not readable for them).`;
}
