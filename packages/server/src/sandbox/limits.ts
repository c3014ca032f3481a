/**
 * What one process of a box may take; `processes` counts all of a box. Set inside the box: outside, threads of the
 * service that belong to the same user would count too. Buffers end with a clean error at 1,350 MB of data.
 */
const LIMITS = {
  nproc: 64,
  nofile: 128,
  fsize: 64 * 1024 * 1024,
  data: 1_500_000_000,
  cpu: 300,
  core: 0,
  msgqueue: 0,
} as const;

/** All of a box together: a tenth more than one of its processes may have as data. */
export const MAX_BOX_BYTES = 1_650_000_000;
/** Threads count as well. */
export const MAX_BOX_TASKS = LIMITS.nproc;
/** Names in its folder; each takes a kilobyte or so that its size does not count. */
export const MAX_NAMES = 20_000;

/** Where the processor is short, the service and its browsers go first. */
const NICENESS = 10;

/** Starts a command within the limits: put before it, inside the box. */
export const WITHIN_LIMITS: readonly string[] = [
  "/usr/bin/nice",
  `--adjustment=${NICENESS}`,
  "/usr/bin/prlimit",
  ...Object.entries(LIMITS).map(([name, limit]) => `--${name}=${limit}`),
];

/** Lines of `/proc/self/limits` that say so, by their beginnings: soft and hard limit. */
export const LIMIT_LINES: readonly RegExp[] = [
  line("Max processes", LIMITS.nproc),
  line("Max open files", LIMITS.nofile),
  line("Max file size", LIMITS.fsize),
  line("Max data size", LIMITS.data),
  line("Max cpu time", LIMITS.cpu),
  line("Max core file size", LIMITS.core),
  line("Max msgqueue size", LIMITS.msgqueue),
];

function line(name: string, limit: number): RegExp {
  return new RegExp(`^${name} +${limit} +${limit} `, "m");
}
