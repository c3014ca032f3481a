/** What the service tells the program in a box: one line of JSON each, on file descriptor 3. */
export interface Order {
  readonly language: "node" | "python" | "bash";
  readonly code: string;
  readonly timeoutMs: number;
  /** Written to both outputs when the code has ended: what came before belongs to it. */
  readonly endMark: string;
}

/** What the program says. Anybody in the box can write there, so it is checked before it is believed. */
export type Message =
  /** Everything is loaded; the first order is carried out without delay. */
  { readonly kind: "ready" } | ({ readonly kind: "done" } & Outcome);

export interface Outcome {
  readonly result: string;
  readonly exitCode: number;
  /** What the code threw. */
  readonly error?: string;
  readonly truncated?: boolean;
}

/** Where the browser of the session is found. */
export const BROWSER_SOCKET = "/run/box/cdp.sock";
/** Bytes of output, errors and result each. */
export const MOST_OUTPUT_BYTES = 1024 * 1024;
/** Where programs in the box speak with the page of the one that is connected. */
export const PAGE_SOCKET = "/tmp/.page.sock";
