import { READING_CODE } from "../documents/start-reading.ts";
import { findReaderMeans, type ReaderMeans } from "../platform/readers/reader-means.ts";
import { isForbidden } from "../platform/sandbox/open-sandbox.ts";
import type { DoctorSettings, Finding } from "./finding.ts";

const BUBBLEWRAP = "Install bubblewrap (Debian: apt install bubblewrap)";
const USER_NAMESPACES =
  "Allow user namespaces: `sysctl user.max_user_namespaces=15000` where they are disabled, on Ubuntu `sysctl kernel.apparmor_restrict_unprivileged_userns=0`, in Docker `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`";

/** Whose rights the programs have that read documents, pictures and media, which may be hostile. Tries them. */
export async function checkReaders(settings: DoctorSettings): Promise<Finding> {
  const { tesseractPath, ffmpegPath, ytDlpPath } = settings;
  const named = [tesseractPath, ffmpegPath, ytDlpPath].flatMap((path) =>
    path?.startsWith("/") ? [path] : [],
  );
  return describeReaders(await findReaderMeans([...READING_CODE, ...named]));
}

/** What that means for the operator. */
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
