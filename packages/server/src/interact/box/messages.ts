/** What the service tells the program in a box: one line of JSON each, on file descriptor 3. */
export interface CodeOrder {
  readonly language: "node" | "python" | "bash";
  readonly code: string;
  readonly timeoutMs: number;
  /** Written to both outputs when the code has ended: what came before belongs to it. */
  readonly endMark: string;
}

/** What the program says. Any process in the box can write there, so it is checked before it is believed. */
export type ProgramMessage =
  /** Everything is loaded; the first order is carried out without delay. */
  { readonly kind: "ready" } | ({ readonly kind: "done" } & CodeOutcome);

const READY = "ready";
const DONE = /^done (-?\d{1,10}) ([01]) ([A-Za-z0-9+/=]*)(?: ([A-Za-z0-9+/=]*))?$/;

/** The message as a line, without its end. Texts are in base64: reading them costs the same for every content. */
export function writeMessage(message: ProgramMessage): string {
  if (message.kind === "ready") return READY;
  const { exitCode, truncated = false, result, error } = message;
  const texts = [result, ...(error === undefined ? [] : [error])].map((text) =>
    Buffer.from(text).toString("base64"),
  );
  return ["done", exitCode, truncated ? 1 : 0, ...texts].join(" ");
}

/** Undefined for what the program would not say. */
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
  /** What the code threw. */
  readonly error?: string;
  readonly truncated?: boolean;
}

/** Where the browser of the session is found. */
export const BROWSER_SOCKET = "/run/box/cdp.sock";
/** Bytes of output, errors and result each. */
export const MAX_OUTPUT_BYTES = 1024 * 1024;
/** Where programs in the box speak with the page of the one that is connected. */
export const PAGE_SOCKET = "/tmp/.page.sock";
