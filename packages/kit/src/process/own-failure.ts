/** What a service can lack for a while. */
export type OwnPart = "files" | "disk" | "memory" | "threads" | "database" | "blobs" | "names" | "network";

/** A part is away, whatever the error says that came of it: the driver of the part knows. */
export class PartAway extends Error {
  override readonly name = "PartAway";
  readonly part: OwnPart;
  /** As readiness names it. */
  readonly code: string;

  constructor(part: OwnPart, cause: unknown) {
    super(cause instanceof Error ? cause.message : `The service has no ${part} for now.`, { cause });
    this.part = part;
    this.code = `NO_${part.toUpperCase()}`;
  }
}

/** Codes of the system that say nothing of what was asked for. */
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
/** Results of SQLite: busy, locked, no memory, read-only, input and output, full, not opened, protocol of locks. */
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
/** As programs in Rust say it, which give no codes, and as Node says it, whose errors lose theirs on the way out of a thread. */
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
 * What this service lacked when work failed: its own fault, which passes. Undefined for faults of callers, of sites, and of
 * the program. The only place that decides so.
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

function partOf(error: Error): OwnPart | undefined {
  if (error instanceof PartAway) return error.part;
  const { code, errcode, syscall } = error as Partial<Record<"code" | "errcode" | "syscall", unknown>>;
  // The lower byte; the rest says where it was noticed.
  if (typeof errcode === "number") return SQLITE.get(errcode & 0xff);
  if (code === "EAGAIN" && /^(?:spawn|uv_thread)/.test(String(syscall))) return "threads";
  return CODES.get(code) ?? TEXTS.find(([text]) => text.test(error.message))?.[1];
}
