/** Parts that a service can lack for a while. */
export type OwnPart = "files" | "disk" | "memory" | "threads" | "database" | "blobs" | "names" | "network";

/** A part is unavailable. The part's driver knows this, whatever its error says. */
export class PartAway extends Error {
  override readonly name = "PartAway";
  readonly part: OwnPart;
  /** Name of the part in the readiness response. */
  readonly code: string;

  constructor(part: OwnPart, cause: unknown) {
    super(cause instanceof Error ? cause.message : `The service has no ${part} for now.`, { cause });
    this.part = part;
    this.code = `NO_${part.toUpperCase()}`;
  }
}

/** System error codes that are unrelated to the request. */
const CODES: ReadonlyMap<unknown, OwnPart> = new Map<unknown, OwnPart>([
  ["EMFILE", "files"],
  ["ENFILE", "files"],
  ["ENOSPC", "disk"],
  ["EDQUOT", "disk"],
  ["EFBIG", "disk"],
  ["EIO", "disk"],
  ["EROFS", "disk"],
  ["ENOMEM", "memory"],
  ["ERR_WORKER_INIT_FAILED", "threads"],
]);
/**
 * SQLite result codes: busy, locked, no memory, read-only, I/O error, full, cannot open, locking protocol.
 */
const SQLITE: ReadonlyMap<number, OwnPart> = new Map<number, OwnPart>([
  [5, "database"],
  [6, "database"],
  [7, "memory"],
  [8, "database"],
  [10, "disk"],
  [13, "disk"],
  [14, "database"],
  [15, "database"],
]);
/**
 * Messages of Rust programs, which give no codes, and of Node, whose errors lose their codes on the way out of a thread.
 */
const TEXTS: readonly (readonly [RegExp, OwnPart])[] = [
  [/\(os error 2[34]\)|create shared HTTP runtime/, "files"],
  [/\(os error (?:5|28)\)/, "disk"],
  [/\(os error 12\)/, "memory"],
  [/^(?:EMFILE: too many open files|ENFILE: file table overflow)/, "files"],
  [
    /^(?:ENOSPC: no space left on device|EDQUOT: disk quota exceeded|EIO: i\/o error|EROFS: read-only file system)/,
    "disk",
  ],
  [/^ENOMEM: not enough memory/, "memory"],
];
const MAX_CAUSES = 10;

/**
 * Returns the part that this service lacked when work failed, a temporary fault of its own. Undefined for
 * faults of callers, sites and the program. No other code makes this decision.
 */
export function ownFailure(failure: unknown): OwnPart | undefined {
  let error = failure;
  for (let depth = 0; error instanceof Error && depth < MAX_CAUSES; depth += 1) {
    const part = partOf(error);
    if (part) return part;
    error = error.cause;
  }
  return undefined;
}

/** Waits for work that a reader can do without, such as the writing of what came last: a part that is away does not matter. */
export async function unlessAway(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (failure) {
    if (!ownFailure(failure)) throw failure;
  }
}

/** What is wrong while a part is away, in one sentence for operators. */
export const PROBLEMS: Readonly<Record<OwnPart, string>> = {
  files: "The limit of open files is reached.",
  disk: "The disk is full, or cannot be written to.",
  memory: "The machine is short of memory.",
  threads: "No more processes and threads can be started.",
  database: "The database does not answer.",
  blobs: "The store of files does not answer.",
  names: "No name server answers.",
  network: "The network cannot be reached.",
};

function partOf(error: Error): OwnPart | undefined {
  if (error instanceof PartAway) return error.part;
  const { code, errcode, syscall } = error as Partial<Record<"code" | "errcode" | "syscall", unknown>>;
  // The lower byte is the primary code; the rest gives details.
  if (typeof errcode === "number") return SQLITE.get(errcode & 0xff);
  if (code === "EAGAIN" && /^(?:spawn|uv_thread)/.test(String(syscall))) return "threads";
  return CODES.get(code) ?? TEXTS.find(([text]) => text.test(error.message))?.[1];
}
