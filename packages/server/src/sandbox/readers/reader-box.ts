import { statSync } from "node:fs";
import { sep } from "node:path";

import { placesOf } from "@pergamon-dev/kit/process/needed-files";

/** What a program finds in its box. */
interface ReaderBox {
  /** The only place that it can write to, apart from memory. */
  readonly folder: string;
  /** Files and folders that are there besides the system's programs and libraries. */
  readonly reads: readonly string[];
  /** Of this service: empty wherever they lie. */
  readonly hidden: readonly string[];
  readonly hasNetwork: boolean;
  /** Whether a filter of system calls comes on the descriptor. */
  readonly hasFilter: boolean;
}

/** The file descriptor that the filter comes on. */
export const FILTER_DESCRIPTOR = 5;
/** What programs may put into their `/tmp`, which is memory. */
const MEMORY_DISK_BYTES = 64 * 1024 * 1024;

const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store"];
/** What libraries and Python look up; none of it is secret. */
const SETTINGS = [
  "alternatives",
  "ca-certificates",
  "fonts",
  "hosts",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "nsswitch.conf",
  "pki",
  "ssl",
].map((name) => `/etc/${name}`);
const DEVICES = ["null", "zero", "random", "urandom"].map((name) => `/dev/${name}`);

/** Arguments of bubblewrap, up to the command. */
export function boxArguments({ folder, reads, hidden, hasNetwork, hasFilter }: ReaderBox): readonly string[] {
  const visible = [...SYSTEM, ...SETTINGS, ...reads].flatMap(placesOf);
  return [
    "--unshare-all",
    ...(hasNetwork ? ["--share-net"] : []),
    ...words("--die-with-parent --cap-drop ALL"),
    ...(hasFilter ? ["--seccomp", String(FILTER_DESCRIPTOR)] : []),
    ...words(`--size ${MEMORY_DISK_BYTES} --tmpfs /tmp --proc /proc --symlink /proc/self/fd /dev/fd`),
    ...DEVICES.flatMap((device) => ["--dev-bind", device, device]),
    ...[...new Set(visible)].flatMap((path) => ["--ro-bind-try", path, path]),
    ...hidden.flatMap((path) => hide(path, visible)),
    "--bind",
    folder,
    folder,
    ...words("--remount-ro / --chdir"),
    folder,
    "--",
  ];
}

function words(text: string): readonly string[] {
  return text.split(" ");
}

/** Empty in its place, where the place is within what is visible. */
function hide(path: string, visible: readonly string[]): readonly string[] {
  return placesOf(path)
    .filter((place) => visible.some((shown) => place === shown || place.startsWith(shown + sep)))
    .flatMap((place) =>
      statSync(place).isDirectory() ? ["--tmpfs", place] : ["--ro-bind", "/dev/null", place],
    );
}
