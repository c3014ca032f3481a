import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { ignoreProxyVariables, readEnvironment } from "./environment.ts";

let folder: string;

beforeEach(async () => {
  folder = testFolder();
});

afterEach(async () => {
  vi.unstubAllEnvs();
});

describe("readEnvironment", () => {
  test("lets a variable of the process win over the file", async () => {
    const file = join(folder, ".env");
    await writeFile(file, "# ours\nHOST=file\nDATA_DIR='from the file'\n");
    vi.stubEnv("HOST", "process");
    const { environment, fromFile } = readEnvironment(file);
    expect(environment).toMatchObject({ HOST: "process", DATA_DIR: "from the file" });
    expect([...fromFile]).toEqual(["DATA_DIR"]);
  });

  test("F11 refuses names that are no settings, with the one that was probably meant", async () => {
    const file = join(folder, ".env");
    await writeFile(file, "PORTT=1\nLOG_LEVEL=warn\nscrape_queue=5\nNODE_ENV=production\n__proto__=x\n");
    expect(() => readEnvironment(file)).toThrow(
      [
        `${file} contains unknown settings:`,
        "  NODE_ENV: did you mean NODE_URL?",
        "  PORTT: did you mean PORT?",
        "  scrape_queue: did you mean SCRAPE_QUEUE?",
      ].join("\n"),
    );
  });

  test("F11 lets the environment of the process have any names", () => {
    vi.stubEnv("PORTT", "1");
    expect(readEnvironment(join(folder, ".env")).environment).toMatchObject({ PORTT: "1" });
  });

  test("says that a folder is no file of settings", async () => {
    await mkdir(join(folder, ".env"));
    expect(() => readEnvironment(join(folder, ".env"))).toThrow(
      /^The settings in .*\.env cannot be read: EISDIR/,
    );
  });

  test("is content without a file", () => {
    vi.stubEnv("PERGAMON_TEST_A", "process");
    expect(readEnvironment(join(folder, ".env")).environment).toMatchObject({ PERGAMON_TEST_A: "process" });
  });
});

describe("ignoreProxyVariables", () => {
  test.each(["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])(
    "takes %s away",
    (name) => {
      vi.stubEnv(name, "http://proxy.test:8080");
      ignoreProxyVariables();
      expect(readEnvironment(join(folder, ".env")).environment[name]).toBeUndefined();
    },
  );
});
