import { Resources } from "./resources.ts";

/** What the tests of a file have opened: it is closed, newest first, after the last test of the file. */
export const ofTestFile = new Resources();
