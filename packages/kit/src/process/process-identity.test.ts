import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

import { hasEnded, livesBeside, processIdentity } from "./process-identity.ts";

describe.runIf(process.platform === "linux")("the name of a process", () => {
  test("stays the same, and lives", async () => {
    const name = (await processIdentity()) ?? "";
    expect(await processIdentity()).toBe(name);
    expect(await hasEnded(name)).toBe(false);
  });

  test("has ended when its process was killed", async () => {
    const file = fileURLToPath(new URL("process-identity.ts", import.meta.url));
    const code = `import(${JSON.stringify(file)}).then(async (m) => { console.log(await m.processIdentity()); setInterval(() => {}, 1000); })`;
    const other = spawn(process.execPath, ["--conditions=pergamon-source", "--import", "tsx", "-e", code]);
    const [line] = (await once(other.stdout, "data")) as [Buffer];
    const name = line.toString().trim();
    expect(await hasEnded(name)).toBe(false);
    expect(await livesBeside(name)).toBe(true);
    expect(await livesBeside((await processIdentity()) ?? "")).toBe(false);
    other.kill("SIGKILL");
    await once(other, "exit");
    expect(await hasEnded(name)).toBe(true);
    expect(await livesBeside(name)).toBe(false);
  });

  test("is not that of another process with its number", async () => {
    const [boot, space, pid] = ((await processIdentity()) ?? "").split("/");
    expect(await hasEnded([boot, space, pid, "1"].join("/"))).toBe(true);
  });

  test.each(["", "elsewhere/pid:[1]/1/1", "no identity"])("cannot be told from here: %j", async (name) => {
    expect(await hasEnded(name)).toBe(false);
  });
});
