import type { Capture } from "../capture.ts";

/**
 * Length of what a reader gets of an HTML page: its main content as Markdown, with what the page holds for visitors
 * without scripts.
 * @throws the signal's reason, once `signal` is aborted.
 */
export type CountText = (capture: Capture, signal: AbortSignal) => Promise<number>;
