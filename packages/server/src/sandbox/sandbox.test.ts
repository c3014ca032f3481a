import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { isRoot, NOBODY } from "@pergamon-dev/browser/launch/account";
import { type BoxFolder, makeBoxFolder } from "./box-folder.ts";
import { startBox } from "./box.ts";
import { readBoxProgram } from "./box-programs.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { openDecoys } from "./decoys.ts";
import { CALL_TABLES } from "./denied-calls.ts";
import { sandboxDrivers } from "./drivers.ts";
import { findSandbox, isForbidden, openSandbox } from "./open-sandbox.ts";
import { probes } from "./probes.ts";
import { descendants } from "@pergamon-dev/kit/process/descendants";
import type { Sandbox, SandboxDriver } from "./sandbox.ts";
import { escapesIn, type ProbeOutcomes, runProbes } from "./self-test.ts";

const PROBE_NAMES = Object.keys(probes);

const found = await Promise.all(sandboxDrivers.map(findUsable));
for (const reason of found.filter((one) => typeof one === "string")) {
  console.warn(`NOT TESTED: boxes of one kind, because ${reason}.`);
}

/** @returns why there is none. One whose boxes end in another way is a fault, which tests are to find. */
async function findUsable(driver: SandboxDriver): Promise<Sandbox | string> {
  const sandbox = await findSandbox(driver);
  if (typeof sandbox === "string") return sandbox;
  const { account, system } = sandbox;
  const folder = await makeBoxFolder(account);
  const plan = { system, mountPoint: folder.mountPoint, mounts: [], command: ["/bin/true"] };
  const complaint = await startBox(sandbox, driver.launch(plan)).ended;
  await folder.remove();
  return isForbidden(complaint) ? complaint : sandbox;
}

describe.each(found.filter((one) => typeof one !== "string"))("$driver.name", (sandbox) => {
  const { driver } = sandbox;
  let folder: BoxFolder;
  let outcomes: ProbeOutcomes = {};

  const start = (...command: readonly string[]) =>
    startBox(
      sandbox,
      driver.launch({ system: sandbox.system, mountPoint: folder.mountPoint, mounts: [], command }),
    );

  beforeAll(async () => {
    folder = await makeBoxFolder(sandbox.account);
    outcomes = await runProbes(sandbox, folder);
  });
  afterAll(() => folder.remove());

  test.each(PROBE_NAMES)("no code in a box %s", (name) => {
    expect(outcomes[name]).toEqual(expect.any(String));
  });

  test("ends at once with everything that code has started", async () => {
    const box = start("/bin/sh", "-c", "sleep 100 & setsid sleep 100 & echo started; sleep 100");
    await new Promise((resolve) => box.stdout.once("data", resolve));
    const pids = descendants(box.pid);
    expect(pids.length).toBeGreaterThan(4);
    await box.kill();
    // The system needs a moment to remove the process that made the box.
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });

  test("ends however early its service dies", async () => {
    const source = new URL("./dying-service.suite.ts", import.meta.url);
    const program = await folder.write(
      "service.mjs",
      await readBoxProgram({ name: "dying-service", source }),
    );
    const mark = randomUUID();
    for (let time = 0; time < 5; time += 1) {
      const service = spawn(process.execPath, [program, driver.name, mark], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(service.stdout, "data");
      await pause(10 + Math.random() * 50);
      service.kill("SIGKILL");
    }
    await expect.poll(() => countProcesses(mark), { timeout: 10_000 }).toBe(0);
  });

  test("says why a program did not start", async () => {
    expect(await start("/bin/nowhere").ended).toMatch(/\/bin\/nowhere.*No such file/);
  });

  test.skipIf(!CALL_TABLES[process.arch])(
    "refuses calls of the kernel that no namespace closes",
    async () => {
      const denied = CALL_TABLES[process.arch]?.denied ?? {};
      const names = ["ptrace", "bpf", "keyctl", "userfaultfd", "memfd_create", "shmget", "semget", "msgget"];
      const calls = names.map((name) => `print syscall(${denied[name]}, 0), $!+0, "\n";`);
      const box = start("/usr/bin/perl", "-e", calls.join(" "));
      let text = "";
      box.stdout.on("data", (bytes: Buffer) => (text += bytes.toString()));
      await box.ended;
      expect(text).toBe("-11\n".repeat(names.length));
    },
  );
});

/** Those whose command says so. */
async function countProcesses(mark: string): Promise<number> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return commands.filter((command) => command.includes(mark)).length;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** NOTE: never as root, who would really mount, write and make what the probes try. */
const UNPRIVILEGED = isRoot() ? NOBODY : {};

test("outside a box the same probes get out", async () => {
  const { close, ...decoys } = await openDecoys(undefined);
  const folder = await makeBoxFolder(isRoot() ? NOBODY : undefined);
  const source = new URL("./probe-program.ts", import.meta.url);
  const program = await folder.write("probes.mjs", await readBoxProgram({ name: "box-probes", source }));
  const file = await folder.write("decoys.json", JSON.stringify(decoys));
  const run = promisify(execFile)(process.execPath, [program, file], { cwd: "/", ...UNPRIVILEGED });
  const { stdout } = await run.finally(async () => {
    await rm("/tmp/link", { force: true });
    await folder.remove();
    await close();
  });
  expect(escapesIn(JSON.parse(stdout) as ProbeOutcomes)).toEqual(
    expect.arrayContaining([
      "reads a file of the service",
      "reads a file of the service through a link",
      "lists the folder of the service",
      "reads users of the machine",
      "finds folders of people",
      "reads variables of the service",
      "sees processes of the machine",
      "connects to a port of this machine",
      "connects to a socket in a folder",
      "writes outside its folder",
      "can get rights",
      "makes memory that belongs to no process",
      "has no limits",
    ]),
  );
});

describe("without proof there is no box", () => {
  const refuse = async (driver: SandboxDriver) => {
    const verdict = await openSandbox([driver]);
    return "reason" in verdict ? verdict : undefined;
  };

  test("where a program is missing, which is named with its remedy", async () => {
    expect(await refuse({ ...bubblewrap, programs: ["bwrap-that-is-nowhere"] })).toEqual({
      sandbox: undefined,
      reason: "bubblewrap: bwrap-that-is-nowhere is not installed",
      remedy: bubblewrap.remedy,
    });
  });

  test.each([
    "Operation not permitted",
    "Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)",
  ])("where boxes do not start, with what was said about it: %s", async (words) => {
    const launch = () => ({ program: "/bin/sh", args: ["-c", 'echo "$0" >&2; exit 1', words] });
    expect(await refuse({ ...bubblewrap, programs: [], launch })).toEqual({
      sandbox: undefined,
      reason: `bubblewrap: does not start: ${words} (1)`,
      remedy: expect.stringContaining("user namespaces"),
    });
  });

  test.skipIf(typeof found[0] === "string")("where code gets out, with the ways", async () => {
    const leaky: SandboxDriver = {
      ...bubblewrap,
      launch(plan) {
        const launch = bubblewrap.launch(plan);
        return { ...launch, args: ["--share-net", "--ro-bind", "/etc", "/etc", ...launch.args] };
      },
    };
    expect(await refuse(leaky)).toMatchObject({
      reason: expect.stringMatching(/^bubblewrap: code in it .*reads users of the machine/),
    });
  });

  test("the next driver is tried", async () => {
    const broken = { ...bubblewrap, programs: ["bwrap-that-is-nowhere"] };
    const verdict = await openSandbox([broken, ...sandboxDrivers]);
    expect(verdict.sandbox?.driver.name).toBe((await openSandbox()).sandbox?.driver.name);
  });
});
