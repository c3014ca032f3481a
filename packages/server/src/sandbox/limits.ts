/**
 * Limits of one process of a box; `processes` counts all of a box. They are set inside the box, because
 * outside, threads of the service with the same user would count too. Buffers fail cleanly at 1,350 MB of
 * data.
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

/** Maximum memory of a whole box: a tenth more than one of its processes may have as data. */
export const MAX_BOX_BYTES = 1_650_000_000;
/** Threads count as well. */
export const MAX_BOX_TASKS = LIMITS.nproc;
/** Maximum number of names in its folder. Each takes about a kilobyte that file sizes do not show. */
export const MAX_NAMES = 20_000;

/** When CPU time is short, the service and its browsers go first. */
const NICENESS = 10;

/** Prefix that starts a command within the limits, inside the box. */
export const WITHIN_LIMITS: readonly string[] = [
  "/usr/bin/nice",
  `--adjustment=${NICENESS}`,
  "/usr/bin/prlimit",
  ...Object.entries(LIMITS).map(([name, limit]) => `--${name}=${limit}`),
];

/** Patterns of the limits in `/proc/self/limits`: beginning of the line, soft and hard limit. */
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
