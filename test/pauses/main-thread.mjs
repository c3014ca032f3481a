import { readFileSync } from "node:fs";

/** A tick of the processor time that Linux tells. */
const TICK_MS = 10;

/**
 * Processor time of the main thread of a process so far, in milliseconds.
 * @param {number} pid
 */
export function mainThreadMs(pid) {
  const text = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
