import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";

import { bytesOf, CACHE, expect, findProgram, freePort, getJson, inMegabytes, nodeFolder, openPage, ROOT, run, Skip, until, withService } from "./tools.mjs";

const DEBIAN = join(CACHE, "debian");
const NEEDED = ["debootstrap", "unshare", "setpriv", "mount"];
const AUTHORITIES = "etc/ssl/certs/ca-certificates.crt";
/** What a child of `docker build` is given, and what a container is. */
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const MEMORY_BYTES = 1024 ** 3;
/** Sizes of small machines, in MB, for which docs/deploy.md says what they can do. */
const SMALL_MEGABYTES = [512, 1024, 2048];

/**
 * Follows the Dockerfile step by step in a Debian that debootstrap makes, then runs what came of it as a container engine
 * does: unprivileged user, read-only root, no capabilities, own processes and mounts, a limit of memory.
 * @param {import("./main.mjs").Release} release
 */
export async function image({ work, isShort, note }) {
  if (isShort) throw new Skip("left out by --short");
  if (process.getuid() !== 0) throw new Skip("only root can change its root folder");
  for (const name of NEEDED) if (!findProgram(name)) throw new Skip(`${name} is not on PATH`);
  const steps = readDockerfile(readFileSync(join(ROOT, "Dockerfile"), "utf8"));
  const lastStage = steps.findLastIndex(({ verb }) => verb === "FROM");
  const [, major] = /node:(\d+)-/.exec(steps[lastStage].rest);
  await makeDebian(major);
  const stages = {};
  const stage = await follow(steps, stages, work);
  note("followed", `${steps.length} steps of the Dockerfile, in a Debian 12 with Node ${major}`);
  const bytes = bytesOf(stage.root);
  try {
    await useContainer(stage, note, [firstRound, secondRound]);
  } finally {
    rmSync(stage.root, { recursive: true, force: true });
  }
  note("restarted", "SIGTERM ended it well, and a second container found the key of the first in /data");
  const [, packages] = /variant: "-full",\s*packages: "([^"]+)"/.exec(readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8"));
  const full = await follow(steps.slice(lastStage), stages, work, { EXTRA_PACKAGES: packages });
  note("followed", `the last stage for -full, ${inMegabytes(bytesOf(full.root))}: ${packages}`);
  try {
    await useContainer(full, note, [otherScripts]);
  } finally {
    rmSync(full.root, { recursive: true, force: true });
  }
  note("not tried", "an image of a container engine, an upgrade from an image before");
  return { file: "Dockerfile", bytes };
}

/** Takes the steps, adds their stages, and returns the last one. @param given arguments of the build */
async function follow(steps, stages, work, given = {}) {
  let stage;
  for (const { verb, rest } of steps) {
    if (verb === "FROM") {
      stage = openStage(work);
      stages[/ AS (\w+)$/.exec(rest)?.[1] ?? "last"] = stage;
    } else await STEPS[verb](stage, rest, stages);
    if (verb === "ARG") Object.assign(stage.args, given);
  }
  return stage;
}

/** A minimal Debian with Node, npm and the user `node`, as the base image has them; made once. */
async function makeDebian(major) {
  if (!existsSync(DEBIAN)) {
    const part = `${DEBIAN}.part`;
    rmSync(part, { recursive: true, force: true });
    await run("debootstrap", ["--variant=minbase", "--include=ca-certificates", "bookworm", part]).catch((error) => {
      throw new Skip(`debootstrap found no Debian: ${error.message.split("\n").at(-1)}`);
    });
    renameSync(part, DEBIAN);
  }
  const npm = dirname(dirname((await run("realpath", [findProgram("npm")])).trim()));
  const local = join(DEBIAN, "usr/local");
  cpSync(join(await nodeFolder(major), "node"), join(local, "bin/node"));
  const target = join(local, "lib/node_modules/npm");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(dirname(target), { recursive: true });
  await run("cp", ["--archive", npm, target]);
  rmSync(join(local, "bin/npm"), { force: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(local, "bin/npm"));
  if (!readFileSync(join(DEBIAN, "etc/passwd"), "utf8").includes("node:x:1000"))
    await run("chroot", [DEBIAN, "useradd", "--uid=1000", "--create-home", "node"]);
  // As in the base image: packages that are unpacked are not kept.
  writeFileSync(join(DEBIAN, "etc/apt/apt.conf.d/clean"), 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb"; };\nDir::Cache::pkgcache "";\nDir::Cache::srcpkgcache "";\n');
  await run("chroot", [DEBIAN, "apt-get", "clean"]);
  // Of this machine: how names are resolved, and whom it trusts.
  for (const path of ["etc/resolv.conf", "etc/hosts", AUTHORITIES])
    if (existsSync(`/${path}`)) cpSync(`/${path}`, join(DEBIAN, path), { dereference: true });
}

function readDockerfile(text) {
  const lines = text.replaceAll(/^\s*#.*\n/gm, "").replaceAll(/\\\n/g, " ");
  return lines.split("\n").filter(Boolean).map((line) => {
    const [, verb, rest] = /^([A-Z]+)\s+(.*)$/.exec(line.trim());
    expect(verb in STEPS || verb === "FROM", `The Dockerfile has ${verb}, which this does not follow.`);
    return { verb, rest };
  });
}

function openStage(work) {
  const root = mkdtempSync(join(work, "stage-"));
  spawnSync("cp", ["--archive", "--reflink=auto", `${DEBIAN}/.`, root], { stdio: "inherit" });
  return { root, folder: "/", env: { PATH }, args: {}, user: "root", volumes: [], ports: [], health: [], entry: [], command: [] };
}

/** Instruction → what it does to a stage. */
const STEPS = {
  ARG: (stage, rest) => void Object.assign(stage.args, assignments(rest)),
  CMD: (stage, rest) => void (stage.command = JSON.parse(rest)),
  COPY: copy,
  ENTRYPOINT: (stage, rest) => void (stage.entry = JSON.parse(rest)),
  ENV: (stage, rest) => void Object.assign(stage.env, assignments(rest)),
  EXPOSE: (stage, rest) => void stage.ports.push(rest),
  HEALTHCHECK: (stage, rest) => void (stage.health = JSON.parse(/CMD (\[.*\])/.exec(rest)[1])),
  LABEL: () => undefined,
  RUN: runStep,
  USER: (stage, rest) => void (stage.user = rest),
  VOLUME: (stage, rest) => void stage.volumes.push(rest),
  WORKDIR: (stage, rest) => {
    stage.folder = rest;
    mkdirSync(join(stage.root, rest), { recursive: true });
  },
};

function assignments(text) {
  return Object.fromEntries(Array.from(text.matchAll(/(\w+)=(?:"([^"]*)"|(\S*))/g), ([, name, quoted, plain]) => [name, quoted ?? plain]));
}

/** From another stage, or from this folder what .dockerignore leaves in and git knows. */
async function copy(stage, rest, stages) {
  const from = /^--from=(\w+) /.exec(rest)?.[1];
  const names = rest.replace(/^--from=\w+ /, "").split(" ");
  const target = join(stage.root, stage.folder, names.pop());
  for (const name of names) {
    const source = from ? join(stages[from].root, name) : join(ROOT, name);
    if (from) await run("cp", ["--archive", source, target]);
    else if (names.length > 1 || name.includes("/")) await copyKnown(name, join(stage.root, stage.folder, name));
    else await copyKnown(name, target);
  }
}

async function copyKnown(name, target) {
  const files = (await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", name], { cwd: ROOT })).split("\0");
  for (const file of files.filter((one) => one !== "" && !/\.(?:test|suite)\.ts$/.test(one) && existsSync(join(ROOT, one)))) {
    const path = join(target, file.slice(name.length));
    mkdirSync(dirname(path), { recursive: true });
    cpSync(join(ROOT, file), path);
  }
}

async function runStep({ root, folder, env, args }, command) {
  const trusted = { NODE_EXTRA_CA_CERTS: `/${AUTHORITIES}`, DEBIAN_FRONTEND: "noninteractive" };
  const script = `mount -t proc proc ${root}/proc && mount --rbind /dev ${root}/dev && exec chroot ${root} sh -ec "$1"`;
  await run("unshare", ["--mount", "--pid", "--fork", "sh", "-c", script, "sh", `cd ${folder}; ${command}`], {
    env: { ...env, ...args, ...trusted, HOME: "/root" },
  });
}

/** Starts a container for each use, one after the other, on the same volume. */
async function useContainer(stage, note, uses) {
  const port = await freePort();
  const env = { ...stage.env, HOME: "/home/node", PORT: String(port), EGRESS_ALLOW: "127.0.0.1" };
  const limited = limitMemory(MEMORY_BYTES);
  const inside = (command) => contained(stage, env, command, limited.folder);
  const command = (...args) => run("unshare", inside([...stage.entry, ...args]));
  const scrape = async (body) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${await keyOf(command)}` };
    return (await getJson(`http://127.0.0.1:${port}/v2/scrape`, { method: "POST", headers, body: JSON.stringify(body) })).data;
  };
  try {
    for (const use of uses) {
      await withService(["unshare", ...inside([...stage.entry, ...stage.command])], {}, async () => {
        await until(120_000, () => run("unshare", inside(stage.health)));
        await use({ command, scrape, note });
      });
    }
    note(limited.folder ? `${inMegabytes(MEMORY_BYTES)} of memory` : "not tried", limited.says);
  } finally {
    limited.remove();
  }
}

async function keyOf(command) {
  const key = /fc-\w+/.exec(await command("keys", "create", "--name", "release"))?.[0];
  expect(key, "keys create printed no key");
  return key;
}

async function firstRound({ command, scrape, note }) {
  const page = await openPage();
  const data = await scrape({ url: page.url, waitFor: 200, formats: ["markdown", "screenshot"] });
  page.close();
  expect(data.markdown.includes("nine to eight") && data.screenshot, `The service answered ${JSON.stringify(data).slice(0, 300)}`);
  const doctor = await command("doctor");
  expect(/Browser\s/.test(doctor), `doctor printed ${doctor}`);
  note("ran", "as user node, without capabilities, root read-only: health check, a key, Markdown and a screenshot, doctor");
}

async function secondRound({ command }) {
  const keys = await command("keys", "list");
  expect(keys.includes("release"), `The key of the first container is missing: ${keys}`);
}

/** Words that only fonts of their script can show and only data of their language can read, by language. */
const WORDS = { ru: "Библиотека гавани открыта", zh: "港口图书馆每天开放" };

/** Takes a picture of words, and reads the picture. */
async function otherScripts({ scrape, note }) {
  for (const [language, words] of Object.entries(WORDS)) {
    const page = await openPage(`<!doctype html><meta charset="utf-8"><main><h1 style="font-size:64px" lang="${language}">${words}</h1></main>`);
    const { screenshot } = await scrape({ url: page.url, formats: ["screenshot"] });
    page.close();
    const bytes = Buffer.from(await (await fetch(screenshot)).arrayBuffer());
    const picture = await openPage(bytes, "image/png");
    const { markdown } = await scrape({ url: picture.url, location: { languages: [language] }, timeout: 120_000 });
    picture.close();
    const read = markdown.replaceAll(/\s/g, "");
    expect(read.includes(words.replaceAll(" ", "")), `Of a picture of ${words} it read ${markdown}`);
  }
  note("ran", `screenshots of ${Object.values(WORDS).join(", ")}, each read from its picture`);
}

/** Arguments of `unshare` that run a command as a container engine would; its network is this machine's. */
function contained({ root, folder, user, volumes }, env, command, group) {
  if (!existsSync(`${root}-data`)) {
    mkdirSync(`${root}-data`, { mode: 0o700 });
    spawnSync("chown", ["1000:1000", `${root}-data`]);
  }
  const variables = Object.entries(env).map(([name, value]) => quoted(`${name}=${value}`));
  const rights = `setpriv --reuid=${user} --regid=${user} --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs`;
  const script = [
    "set -e",
    ...(group ? [`echo $$ > ${group}/cgroup.procs`] : []),
    `mount --bind ${root} ${root}`,
    `mount -o remount,bind,ro ${root}`,
    `mount -t proc proc ${root}/proc`,
    `mount --rbind /dev ${root}/dev`,
    `mount -t tmpfs -o mode=1777 tmpfs ${root}/tmp`,
    ...volumes.map((path) => `mount --bind ${root}-data ${root}${path}`),
    `exec chroot ${root} /usr/bin/env -i ${variables.join(" ")} ${rights} sh -c ${quoted(`cd ${folder}; exec "$@"`)} sh "$@"`,
  ].join("\n");
  return ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script, "sh", ...command];
}

function quoted(word) {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * What `pergamon doctor --load` prints with less memory: rows of size, kind of work, megabytes and processor time a page.
 * @param {import("./main.mjs").Release} release
 */
export async function smallMachines({ work, isShort, note }) {
  if (isShort) throw new Skip("left out by --short");
  await run("node", ["bin/build.mjs"], { cwd: ROOT });
  const loads = [];
  for (const megabytes of SMALL_MEGABYTES) {
    const limited = limitMemory(megabytes * 1024 ** 2);
    if (!limited.folder) throw new Skip(limited.says);
    const script = `echo $$ > ${limited.folder}/cgroup.procs; exec node dist/cli.js doctor --load 15`;
    // Not a folder in memory.
    const env = { ...process.env, TMPDIR: work, DATA_DIR: join(work, "data") };
    try {
      const text = await run("sh", ["-c", script], { cwd: ROOT, env });
      for (const [, kind, rate, percent, used] of text.matchAll(LOAD_LINE)) {
        const cpuMs = (Number(percent) / 100) * cpus().length * (60_000 / Number(rate.replaceAll(",", "")));
        loads.push([`${megabytes} MB`, kind, `${used} MB`, `${cpuMs < 20 ? cpuMs.toFixed(1) : Math.round(cpuMs)} ms`]);
      }
      note(`${megabytes} MB`, text.trim().split("\n").slice(1).map((line) => line.trim().replaceAll(/\s+/g, " ")).join("; "));
    } catch (error) {
      loads.push([`${megabytes} MB`, "all after each other", "the system ended it", "–"]);
      note(`${megabytes} MB`, error.message.split("\n").at(-1));
    } finally {
      limited.remove();
    }
  }
  return { file: "docs/deploy.md", loads };
}

const LOAD_LINE = /^ {2}(\S.*?) +([\d,]+) a minute, (\d+) % of the processors, (\d+) MB; limited by (.+)$/gm;

/** A group of processes with a limit, in the first or second version of the kernel's groups. */
export function limitMemory(bytes) {
  const none = { says: "a limit of memory: this machine lets nobody make one", remove: () => undefined };
  for (const [parent, file] of [["/sys/fs/cgroup/memory", "memory.limit_in_bytes"], ["/sys/fs/cgroup", "memory.max"]]) {
    const folder = join(parent, `pergamon-release-${process.pid}`);
    try {
      mkdirSync(folder);
      if (!existsSync(join(folder, file))) {
        spawnSync("rmdir", [folder]);
        continue;
      }
      writeFileSync(join(folder, file), String(bytes));
      return { folder, says: "was enough for all of that", remove: () => spawnSync("rmdir", [folder]) };
    } catch {
      // The next kind of group, or none.
    }
  }
  return none;
}
