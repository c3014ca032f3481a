import { readOwnMachine } from "@pergamon-dev/kit/process/own-machine";

const MB = 1024 * 1024;

/** The service and a browser without pages take about this much. */
const BASE_BYTES = 512 * MB;
/** A page in a browser takes about this much, with its scripts and pictures. */
const TAB_BYTES = 128 * MB;
/** A page with its views takes some megabytes. */
const PAGE_BYTES = 4 * MB;
/** A thread, or a process that reads documents, at work on a large page. */
const THREAD_BYTES = 256 * MB;

/** Returns the limits that are usual on a machine with so many processors and so much memory. */
export function usualLimits({ processors, memoryBytes } = readOwnMachine()) {
  const fitting = (wanted: number, bytes: number, eachBytes: number) =>
    Math.max(1, Math.min(wanted, Math.floor(bytes / eachBytes)));
  return {
    tabs: fitting(processors * 4, memoryBytes - BASE_BYTES, TAB_BYTES),
    pages: fitting(Math.max(256, processors * 64), memoryBytes, PAGE_BYTES),
    /** One processor is left for the event loop. */
    threads: fitting(processors - 1, memoryBytes, THREAD_BYTES),
  };
}
