import { statSync } from "node:fs";
import { sep } from "node:path";

import { placesOf } from "@pergamon-dev/kit/process/needed-files";

/** Contents of a program's box. */
interface ReaderBox {
  /** The only writable place, apart from memory. */
  readonly folder: string;
  /** Readable files and folders besides the system's programs and libraries. */
  readonly reads: readonly string[];
  /** Paths of this service that appear empty, wherever they lie. */
  readonly hidden: readonly string[];
  readonly hasNetwork: boolean;
  /** True when a filter of system calls arrives on the descriptor. */
  readonly hasFilter: boolean;
}

/** File descriptor on which the filter arrives. */
export const FILTER_DESCRIPTOR = 5;
/** Maximum size of a program's `/tmp`, which is memory. */
const MEMORY_DISK_BYTES = 64 * 1024 * 1024;

const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store"];
/** System settings that libraries and Python read. None of them is secret. */
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

/** Builds the arguments of bubblewrap, up to the command. */
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

/** Hides a path with an empty one, if it lies within a visible path. */
function hide(path: string, visible: readonly string[]): readonly string[] {
  return placesOf(path)
    .filter((place) => visible.some((shown) => place === shown || place.startsWith(shown + sep)))
    .flatMap((place) =>
      statSync(place).isDirectory() ? ["--tmpfs", place] : ["--ro-bind", "/dev/null", place],
    );
}
