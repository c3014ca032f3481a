import type { Call } from "../operations/call.ts";

/** A part of the service that can be asked whether it works. */
export interface CheckedPart {
  readonly name: string;
  /** False: the service works without it, only slower. Default: true. */
  readonly isRequired?: boolean;
  /** @throws when the part does not work. */
  check(): Promise<void>;
}

/** A part that does not answer within this time does not work. */
const CHECK_TIMEOUT_MS = 2000;

/** The endpoint is public, so the response only names the failed component and a code; the log has the details. */
export async function checkPart({ name, isRequired = true, check }: CheckedPart, log: Call["log"]) {
  const optional = isRequired ? {} : { required: false as const };
  try {
    await withTimeout(check());
    return { name, ok: true, ...optional };
  } catch (failure) {
    // Who can do without it says so once.
    if (isRequired) log.warn({ part: name, err: failure }, "A component of the service has failed.");
    return { name, ok: false, code: codeOf(failure), ...optional };
  }
}

const CODE = /^[A-Z][A-Z0-9_]{1,60}$/;
const MAX_CAUSES = 10;

/** The code of what it came from in the end, such as ENOSPC; with the number that SQLite gives next to it. */
function codeOf(failure: unknown): string {
  let code = "FAILED";
  let error = failure;
  for (let depth = 0; error instanceof Error && depth < MAX_CAUSES; depth += 1) {
    const { code: own, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
    const number = typeof errcode === "number" ? `_${errcode}` : "";
    if (typeof own === "string" && CODE.test(own)) code = own + number;
    error = error.cause;
  }
  return code;
}

class CheckTimeout extends Error {
  readonly code = "TIMEOUT";
}

async function withTimeout(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new CheckTimeout(`No answer within ${CHECK_TIMEOUT_MS} ms.`)),
      CHECK_TIMEOUT_MS,
    );
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
