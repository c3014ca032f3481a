import { afterAll } from "vitest";

import { startProgramsFrom } from "../packages/kit/src/process/program-file.ts";
import { ofTestFile } from "../packages/kit/src/test-file.suite.ts";
import { beginTestFile } from "../test/shared-services.ts";

// Named where the build is known to be of these sources. A test run by itself takes the sources.
const { BUILT_PROGRAMS } = process.env;
startProgramsFrom(BUILT_PROGRAMS || undefined);
beginTestFile();
afterAll(() => ofTestFile.close());
