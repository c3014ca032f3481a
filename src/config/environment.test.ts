import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { ignoreProxyVariables, readEnvironment } from "./environment.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "environment-"));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

describe("readEnvironment", () => {
  test("lets a variable of the process win over the file", async () => {
    const file = join(folder, ".env");
    await writeFile(file, "# ours\nPERGAMON_TEST_A=file\nPERGAMON_TEST_B='from the file'\n");
    vi.stubEnv("PERGAMON_TEST_A", "process");
    expect(readEnvironment(file)).toMatchObject({
      PERGAMON_TEST_A: "process",
      PERGAMON_TEST_B: "from the file",
    });
  });

  test("is content without a file", () => {
    vi.stubEnv("PERGAMON_TEST_A", "process");
    expect(readEnvironment(join(folder, ".env"))).toMatchObject({ PERGAMON_TEST_A: "process" });
  });
});

describe("ignoreProxyVariables", () => {
  test.each(["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])(
    "takes %s away",
    (name) => {
      vi.stubEnv(name, "http://proxy.test:8080");
      ignoreProxyVariables();
      expect(readEnvironment(join(folder, ".env"))[name]).toBeUndefined();
    },
  );
});
