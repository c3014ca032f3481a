import { existsSync } from "node:fs";
import { chmod, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";

import { beforeAll, describe, expect, test } from "vitest";

import { ofTestFile } from "@pergamon-dev/kit/test-file.suite";
import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { killGroup } from "@pergamon-dev/kit/process/kill-group";
import { isRoot } from "@pergamon-dev/browser/launch/account";
import { findReaderMeans, READER, type ReaderMeans } from "./reader-means.ts";
import { openReaders, type Readers } from "./readers.ts";
import { runReader } from "./run-reader.ts";

/** Tries what a reader must not be able to do, and says in its folder what came of it. */
const ATTACKS = String.raw`
const fs = require("node:fs"), net = require("node:net");
const [parent, data, port] = process.argv.slice(2);
const attempt = (work) => { try { return String(work()); } catch (failure) { return failure.code; } };
const status = fs.readFileSync("/proc/self/status", "utf8");
const said = {
  key: attempt(() => fs.readFileSync(data + "/secret.key")),
  database: attempt(() => fs.readFileSync(data + "/pergamon.db")),
  listing: attempt(() => fs.readdirSync(data)),
  environment: attempt(() => fs.readFileSync("/proc/" + parent + "/environ")),
  memory: attempt(() => fs.openSync("/proc/" + parent + "/mem", "r")),
  processes: attempt(() => fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name)).length),
  signal: attempt(() => process.kill(Number(parent), 0)),
  outside: attempt(() => fs.writeFileSync(data + "/new", "")),
  inside: attempt(() => fs.writeFileSync("own", "")),
  uid: process.getuid(),
  gids: process.getgroups(),
  newRights: /NoNewPrivs:\s+1/.test(status) ? "none" : "possible",
  rights: /CapEff:\s+0+\n/.test(status) ? "none" : "some",
  filter: /Seccomp:\s+2/.test(status) ? "on" : "off",
  variables: Object.keys(process.env),
};
const socket = net.connect(Number(port), "127.0.0.1");
const tell = (network) => { fs.writeFileSync("said.json", JSON.stringify({ ...said, network })); process.exit(); };
socket.on("connect", () => tell("reached")).on("error", ({ code }) => tell(code));
`;

interface Said {
  readonly [name: string]: unknown;
}

let means: ReaderMeans;
const data = testFolder();
let port: number;

beforeAll(async () => {
  means = await findReaderMeans([]);
  for (const name of ["secret.key", "pergamon.db"])
    await writeFile(join(data, name), "sesame", { mode: 0o600 });
  const server = createServer((visitor) => visitor.destroy());
  ofTestFile.add(server, (opened) => void opened.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = typeof address === "object" && address ? address.port : 0;
});

function open(different: Partial<ReaderMeans> = {}, hidden: readonly string[] = [data]): Readers {
  return openReaders({ code: [], hidden, findMeans: async () => ({ ...means, ...different }) });
}

async function attacks(
  readers: Readers,
  more: { readonly reads?: readonly string[]; readonly hasNetwork?: boolean } = {},
) {
  const folder = await readers.makeFolder("test");
  try {
    await readers.putFile(
      folder,
      { name: "attacks.cjs", bytes: Buffer.from(ATTACKS) },
      new AbortController().signal,
    );
    const run = {
      path: process.execPath,
      args: ["attacks.cjs", String(process.pid), data, String(port)],
      folder,
      environment: { PATH: "/usr/bin:/bin" },
      reads: [process.execPath],
      hasNetwork: false,
      timeLimitMs: 60_000,
      maxFolderBytes: 1_000_000,
      ...more,
    };
    const { exitCode, said } = await runReader(run, readers, new AbortController().signal);
    expect([exitCode, said]).toEqual([0, ""]);
    const bytes = await readers.takeFile(join(folder, "said.json"), 100_000);
    return JSON.parse(Buffer.from(bytes).toString()) as Said;
  } finally {
    await readers.removeFolder(folder);
    expect(existsSync(folder)).toBe(false);
  }
}

const CLOSED = expect.stringMatching(/^(?:ENOENT|EACCES|EPERM|ESRCH)$/) as string;
/** What holds wherever a reader does not share the account of the service, or its view of files. */
const WITHOUT_SECRETS = {
  key: CLOSED,
  database: CLOSED,
  environment: CLOSED,
  memory: CLOSED,
  signal: CLOSED,
  outside: CLOSED,
  inside: "undefined",
  newRights: "none",
  rights: "none",
};

function skipsWithout(what: boolean, name: string): boolean {
  if (!what) console.warn(`NOT TESTED: readers ${name}: this machine cannot do that.`);
  return !what;
}

describe.runIf(process.platform === "linux")("a program that reads hostile files", () => {
  test("reaches in a box neither secrets, processes nor the network", async ({ skip }) => {
    skip(skipsWithout(means.within === "box", "in boxes"));
    const said = await attacks(open());
    expect(said).toMatchObject({ ...WITHOUT_SECRETS, network: "ECONNREFUSED", filter: "on" });
    // The one that holds the box, and itself.
    expect(Number(said["processes"])).toBeLessThanOrEqual(2);
    expect(said["uid"]).toBe(isRoot() ? READER.uid : process.getuid?.());
  });

  test("sees in a box nothing of the service, even where that lies within what it may read", async ({
    skip,
  }) => {
    skip(skipsWithout(means.within === "box", "in boxes"));
    await chmod(data, 0o755);
    await chmod(join(data, "secret.key"), 0o644);
    try {
      const said = await attacks(open({}, [join(data, "secret.key")]), { reads: [process.execPath, data] });
      expect(said).toMatchObject({ key: expect.stringMatching(/^(?:EACCES)?$/) as string, outside: "EROFS" });
      expect(await attacks(open(), { reads: [process.execPath, data] })).toMatchObject({
        listing: "",
        key: "ENOENT",
      });
    } finally {
      await chmod(data, 0o700);
      await chmod(join(data, "secret.key"), 0o600);
    }
  });

  test("has the network where it needs that, and no more than before of the rest", async ({ skip }) => {
    skip(skipsWithout(means.within === "box", "in boxes"));
    expect(await attacks(open(), { hasNetwork: true })).toMatchObject({
      ...WITHOUT_SECRETS,
      network: "reached",
    });
  });

  test("runs without a box as a user of its own, who may read nothing of the service", async ({ skip }) => {
    skip(skipsWithout(means.account !== undefined, "as a user of their own"));
    const said = await attacks(open({ within: undefined }));
    expect(said).toMatchObject({
      ...WITHOUT_SECRETS,
      listing: "EACCES",
      uid: READER.uid,
      gids: [READER.gid],
    });
  });

  test("has without bubblewrap neither network nor processes of others, where namespaces can be made", async ({
    skip,
  }) => {
    skip(skipsWithout(means.within !== undefined && existsSync("/usr/bin/unshare"), "in namespaces"));
    const said = await attacks(open({ within: "namespaces", maker: "/usr/bin/unshare" }));
    expect(said).toMatchObject({ environment: "ENOENT", network: CLOSED_NETWORK, newRights: "none" });
    expect(Number(said["processes"])).toBeLessThanOrEqual(3);
  });

  test("shares in a box of an own account nothing with the service either", async ({ skip }) => {
    skip(skipsWithout(means.within === "box", "in boxes"));
    const said = await attacks(open({ account: undefined }));
    expect(said).toMatchObject({ ...WITHOUT_SECRETS, network: "ECONNREFUSED" });
  });

  test("knows of the environment what it is told", async () => {
    const { variables } = await attacks(open());
    expect(["PATH", "PWD", "OLDPWD", "SHLVL", "_"]).toEqual(expect.arrayContaining(variables as string[]));
  });

  test("ends with everything that it has started, and its folder is removed by whoever made it", async () => {
    const readers = open();
    const folder = await readers.makeFolder("test");
    const child = await readers.start({
      path: "/bin/sh",
      args: ["-c", "sleep 1000 & sleep 1000"],
      folder,
      environment: {},
      reads: [],
      hasNetwork: false,
      stdio: ["ignore", "pipe", "pipe", "ignore"],
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    killGroup(child.pid);
    await ended;
    await readers.removeFolder(folder);
    expect(existsSync(folder)).toBe(false);
  });
});

const CLOSED_NETWORK = expect.stringMatching(/^(?:ECONNREFUSED|ENETUNREACH)$/) as string;

describe.runIf(process.platform === "linux")("what a program leaves in its folder", () => {
  async function taking(leave: (folder: string) => string): Promise<Promise<Uint8Array>> {
    const readers = open();
    const folder = await readers.makeFolder("test");
    const run = {
      environment: {},
      reads: [],
      hasNetwork: false,
      timeLimitMs: 60_000,
      maxFolderBytes: 1_000_000,
    };
    const args = ["-c", leave(folder)];
    await runReader({ ...run, path: "/bin/sh", args, folder }, readers, new AbortController().signal);
    const taken = readers.takeFile(join(folder, "out"), 10);
    await taken.catch(() => undefined);
    await readers.removeFolder(folder);
    return taken;
  }

  test("is taken where it is a file of its own", async () => {
    expect(Buffer.from(await taking(() => "printf ok > out")).toString()).toBe("ok");
  });

  test.each([
    ["a link to a file of the service", () => `ln -s ${join(data, "secret.key")} out`, "ELOOP"],
    ["a pipe", () => "mkfifo out", "is not a file that the program has made"],
    ["a folder", () => "mkdir out", "is not a file that the program has made"],
    ["a file of two names", () => "printf ok > one; ln one out", "is not a file that the program has made"],
    ["a file that is too large", () => "printf 12345678901 > out", "is larger than 10 bytes"],
  ])("is refused where it is %s", async (_what, script, words) => {
    await expect(taking(script)).rejects.toThrow(words);
  });

  test("is not what somebody else has put there", async ({ skip }) => {
    skip(skipsWithout(means.account !== undefined, "as a user of their own"));
    const readers = open();
    const folder = await readers.makeFolder("test");
    await symlink(join(data, "secret.key"), join(folder, "link"));
    await writeFile(join(folder, "out"), await readFile(join(data, "secret.key")));
    await expect(readers.takeFile(join(folder, "out"), 10)).rejects.toThrow("is not a file");
    await readers.removeFolder(folder);
  });
});
