/** Message of the service to the program in a box, as one line of JSON on file descriptor 3. */
export interface CodeOrder {
  readonly language: "node" | "python" | "bash";
  readonly code: string;
  readonly timeoutMs: number;
  /** Written to both outputs when the code has ended. Everything before it belongs to this code. */
  readonly endMark: string;
}

/** Message of the program. Any process in the box can write one, so the service validates it. */
export type ProgramMessage =
  /** Everything is loaded, so that the first order runs without delay. */
  { readonly kind: "ready" } | ({ readonly kind: "done" } & CodeOutcome);

const READY = "ready";
const DONE = /^done (-?\d{1,10}) ([01]) ([A-Za-z0-9+/=]*)(?: ([A-Za-z0-9+/=]*))?$/;

/**
 * The message as a line, without its end. Texts are base64, which costs the same to read for every content.
 */
export function writeMessage(message: ProgramMessage): string {
  if (message.kind === "ready") return READY;
  const { exitCode, truncated = false, result, error } = message;
  const texts = [result, ...(error === undefined ? [] : [error])].map((text) =>
    Buffer.from(text).toString("base64"),
  );
  return ["done", exitCode, truncated ? 1 : 0, ...texts].join(" ");
}

/** @returns undefined for a line that the program never writes. */
export function readMessage(line: string): ProgramMessage | undefined {
  if (line === READY) return { kind: "ready" };
  const [, exitCode, truncated, result = "", error] = DONE.exec(line) ?? [];
  if (exitCode === undefined) return undefined;
  const text = (base64: string) => Buffer.from(base64, "base64").toString("utf8");
  return {
    kind: "done",
    exitCode: Number(exitCode),
    truncated: truncated === "1",
    result: text(result),
    ...(error !== undefined && { error: text(error) }),
  };
}

export interface CodeOutcome {
  readonly result: string;
  readonly exitCode: number;
  /** Text of the exception. */
  readonly error?: string;
  readonly truncated?: boolean;
}

/** CDP socket of the session's browser. */
export const BROWSER_SOCKET = "/run/box/cdp.sock";
/** Limit in bytes, for output, errors and result each. */
export const MAX_OUTPUT_BYTES = 1024 * 1024;
/** Socket at which other programs in the box use the page of the connected one. */
export const PAGE_SOCKET = "/tmp/.page.sock";
