import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

import { testFolder } from "../test-folder.suite.ts";
import { readOwnMachine } from "./own-machine.ts";

const folder = testFolder();

const V1 = "4:memory:/docker/a\n3:cpuacct,cpu:/docker/a\n1:name=systemd:/\n0::/";
const NO_LIMIT = "9223372036854771712";

test.each<
  readonly [string, string, Record<string, string>, readonly [processors: number, memoryBytes: number]]
>([
  ["no groups", "", {}, [64, 1000]],
  ["v2 without limits", "0::/a", { "a/cpu.max": "max 100000", "a/memory.max": "max" }, [64, 1000]],
  ["v2", "0::/a", { "a/cpu.max": "250000 100000\n", "a/memory.max": "512\n" }, [2, 512]],
  ["v2 in a namespace", "0::/", { "cpu.max": "400000 100000", "memory.max": "512" }, [4, 512]],
  [
    "v2, with less above",
    "0::/a/b",
    { "a/cpu.max": "100000 50000", "a/memory.max": "300", "a/b/memory.max": "400" },
    [2, 300],
  ],
  ["half a processor", "0::/a", { "a/cpu.max": "50000 100000" }, [1, 1000]],
  ["more than there is", "0::/a", { "a/cpu.max": "9900000 100000", "a/memory.max": "5000" }, [64, 1000]],
  [
    "v1 without limits",
    V1,
    { "cpu/cpu.cfs_quota_us": "-1", "memory/memory.limit_in_bytes": NO_LIMIT },
    [64, 1000],
  ],
  [
    "v1, as a container sees it",
    V1,
    {
      "cpu/cpu.cfs_quota_us": "300000",
      "cpu/cpu.cfs_period_us": "100000",
      "memory/memory.limit_in_bytes": "256",
    },
    [3, 256],
  ],
  [
    "v1 from outside",
    V1,
    { "memory/docker/a/memory.limit_in_bytes": "128", "memory/memory.limit_in_bytes": NO_LIMIT },
    [64, 128],
  ],
  ["garbage", "0::/a", { "a/cpu.max": "x 0", "a/memory.max": "-3" }, [64, 1000]],
])("%s", (name, membership, files, [processors, memoryBytes]) => {
  const groups = join(folder, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(groups, path)), { recursive: true });
    writeFileSync(join(groups, path), text);
  }
  const host = { processors: 64, memoryBytes: 1000 };
  expect(readOwnMachine({ host, groups, membership })).toEqual({ processors, memoryBytes });
});

test("never says more than the host has", () => {
  const { processors, memoryBytes } = readOwnMachine();
  expect(processors).toBeGreaterThan(0);
  expect(processors).toBeLessThanOrEqual(availableParallelism());
  expect(memoryBytes).toBeGreaterThan(0);
  expect(memoryBytes).toBeLessThanOrEqual(totalmem());
});
