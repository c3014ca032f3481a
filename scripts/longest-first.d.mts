import type { BaseSequencer } from "vitest/node";

/** Starts the files that take longest first. */
export class LongestFirst extends BaseSequencer {}
