import { readdirSync, readFileSync } from "node:fs";

/** The main thread, threads that compute pages, V8's own, and all others: those of libuv and of native packages. */
export const threadKinds = ["main", "page", "V8", "others"] as const;

/** Milliseconds of processor time by kind of thread. */
export type ThreadTimes = Readonly<Record<(typeof threadKinds)[number], number>>;

/** What the file of `thread-kinds.mjs` tells, one line per thread. */
interface KnownThread {
  readonly kind: "main" | "page";
  readonly pid: number;
  readonly thread: string;
  readonly others: readonly string[];
}

/**
 * Of the process that wrote to the file last: one that started itself again is not the service. By the scheduler, to the
 * nanosecond. Threads that have ended are not in it.
 */
export function threadTimes(file: string): ThreadTimes {
  const known = knownThreads(file);
  const pid = servicePid(file);
  const kinds = new Map<string, keyof ThreadTimes>();
  for (const { kind, thread, others } of known) {
    kinds.set(thread, kind);
    for (const one of others) kinds.set(one, "V8");
  }
  const times = { main: 0, page: 0, V8: 0, others: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`))
    times[kinds.get(thread) ?? "others"] += timeOf(pid, thread);
  return times;
}

function timeOf(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** The process that wrote to the file last: the service, where one started the other. */
export function servicePid(file: string): number {
  return knownThreads(file).at(-1)?.pid ?? 0;
}

function knownThreads(file: string): readonly KnownThread[] {
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as KnownThread);
}
