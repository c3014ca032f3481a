import { READING_CODE } from "@pergamon-dev/documents/start-reading";
import { decideLevel } from "../../sandbox/code-level.ts";
import { findReaderMeans, type ReaderMeans } from "../../sandbox/readers/reader-means.ts";
import { findOwnGroup, whyNoGroups } from "../../sandbox/box-groups.ts";
import { isForbidden, openSandbox } from "../../sandbox/open-sandbox.ts";
import type { DoctorSettings, Finding } from "./check.ts";

/**
 * How callers' code is isolated here. It tries every way out of a sandbox, as the service does before the
 * first call.
 */
export async function checkInteractCode({ interactCode }: DoctorSettings): Promise<Finding> {
  const level = await decideLevel(interactCode, openSandbox);
  if (level.name === "box") {
    return {
      status: "found",
      detail: `in sandboxes by ${level.sandbox.driver.name}, which passed all escape tests`,
    };
  }
  const { reason, remedy } = level;
  if (level.name === "off") {
    const status = interactCode === "off" ? "missing" : "problem";
    return {
      status,
      detail: `off: ${reason}`,
      cost: "interact calls with code are rejected.",
      remedy,
    };
  }
  return {
    status: "missing",
    detail: `in a WebAssembly interpreter: ${reason}`,
    cost: "Code of callers can use JavaScript and agent-browser commands, but not Node, Python or a shell.",
    remedy,
  };
}

/** How memory and processes of sandboxes are limited here. */
export async function checkBoxBounds({ interactCode }: DoctorSettings): Promise<Finding> {
  const isBoxed = interactCode === "auto" || interactCode === "box";
  if (!isBoxed || process.platform !== "linux")
    return { status: "found", detail: "sandboxes are unavailable" };
  const place = findOwnGroup();
  const reason = typeof place === "string" ? place : whyNoGroups(place);
  if (reason === undefined) return { status: "found", detail: "one cgroup (v2) per sandbox" };
  return {
    status: "missing",
    detail: `measured four times per second, because ${reason}`,
    cost: "For a quarter of a second, code can use more than the 1.65 GB of its sandbox.",
    remedy:
      "Give the service its own cgroup: with systemd, set `Delegate=memory pids` in its unit; in a container, make /sys/fs/cgroup writable.",
  };
}

const BUBBLEWRAP = "Install bubblewrap (Debian: apt install bubblewrap)";
const USER_NAMESPACES =
  "Allow user namespaces: `sysctl user.max_user_namespaces=15000` where they are disabled, on Ubuntu `sysctl kernel.apparmor_restrict_unprivileged_userns=0`, in Docker `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`";

/** Tests under whose rights programs run that read documents, pictures and media, which may be hostile. */
export async function checkReaders(settings: DoctorSettings): Promise<Finding> {
  const { tesseractPath, ffmpegPath, ytDlpPath } = settings;
  const named = [tesseractPath, ffmpegPath, ytDlpPath].flatMap((path) =>
    path?.startsWith("/") ? [path] : [],
  );
  return describeReaders(await findReaderMeans([...READING_CODE, ...named]));
}

/** Explains the result to the operator. */
export function describeReaders(means: ReaderMeans): Finding {
  const { account, within, withoutAccount, withoutBox = "" } = means;
  const user = account ? `as user ${account.uid}, which no other program uses` : "as the user of the service";
  if (within === "box") return { status: "found", detail: `in sandboxes by bubblewrap, ${user}` };
  const remedy = isForbidden(withoutBox) ? `${USER_NAMESPACES}.` : `${BUBBLEWRAP}.`;
  const place = within === "namespaces" ? "without network" : "without a sandbox";
  if (account) {
    const reach = within === "namespaces" ? "" : " and the network of this machine";
    return {
      status: "missing",
      detail: `${user}, ${place}: ${withoutBox}`,
      cost: `A file that exploits its reader can access everything that all users of this machine can read${reach}.`,
      remedy,
    };
  }
  return {
    status: "missing",
    detail: `${user}, ${place}: ${withoutBox}; ${withoutAccount}`,
    cost: "A file that exploits its reader can read everything that the service can read: its database, keys and settings.",
    remedy: `${remedy.slice(0, -1)}, or run the service as root, which runs its readers as a separate user.`,
  };
}
