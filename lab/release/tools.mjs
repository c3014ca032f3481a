import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** What is slow to bring stays here for the next time. */
export const CACHE = join(ROOT, "node_modules/.cache/release");

/** A step that cannot be taken on this machine: it is skipped, and the reason stands in the report. */
export class Skip extends Error {}

/** Runs a program to its end; what it prints comes back, and is in the error when it fails. */
export async function run(program, args, options = {}) {
  try {
    const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 1e8, timeout: 900_000, ...options });
    return stdout;
  } catch (error) {
    const output = `${error.stdout ?? ""}${error.stderr ?? ""}`.trim().split("\n").slice(-30).join("\n");
    throw new Error(`${program} ${args.join(" ").slice(0, 300)} failed: ${error.message.split("\n")[0]}\n${output}`, { cause: error });
  }
}

/** Path of a program that PATH has. */
export function findProgram(name) {
  const { status, stdout } = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** A program written in Go: that of PATH, else built from its module into the cache. */
export async function goProgram(name, module) {
  const built = join(CACHE, "bin", name);
  const found = findProgram(name) ?? (existsSync(built) ? built : undefined);
  if (found) return found;
  if (!findProgram("go")) throw new Skip(`neither ${name} nor Go, which could build it, is on PATH`);
  await run("go", ["install", module], { env: { ...process.env, GOBIN: dirname(built) } }).catch((error) => {
    throw new Skip(`${name} is not on PATH and could not be built: ${error.message.split("\n").at(-1)}`);
  });
  return built;
}

/** A program of a package of PyPI: that of PATH, else installed into the cache. */
export async function pythonProgram(name) {
  const place = join(CACHE, "python");
  const installed = join(place, "bin", name);
  const found = findProgram(name) ?? (existsSync(installed) ? installed : undefined);
  if (found) return found;
  try {
    await run("python3", ["-m", "venv", place]);
    await run(join(place, "bin/pip"), ["install", "--quiet", name]);
  } catch (error) {
    throw new Skip(`${name} is not on PATH and could not be installed: ${error.message.split("\n").at(-1)}`);
  }
  return installed;
}

/** Folder with `node` of this major version: this process, NODE_22 and the like, or a package of npm. */
export async function nodeFolder(major) {
  const named = process.env[`NODE_${major}`];
  if (named) return statSync(named).isDirectory() ? named : dirname(named);
  if (process.versions.node.startsWith(`${major}.`)) return dirname(process.execPath);
  const system = `node-${process.platform}-${process.arch}`;
  const place = join(CACHE, `node-${major}`);
  const bin = join(place, "node_modules", system, "bin");
  if (existsSync(join(bin, "node"))) return bin;
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), "{}");
  await run("npm", ["install", "--ignore-scripts", `${system}@${major}`], { cwd: place }).catch(() => {
    throw new Skip(`Node ${major} is not here: name its folder by NODE_${major}`);
  });
  return bin;
}

const SCRIPTED = `<!doctype html><title>Harbour</title><main><h1>The Harbour Library</h1><p id="p"></p></main>
<script>document.getElementById("p").textContent = "Open every day from nine to eight.";</script>`;

/** A page on loopback; unless it is given, one that only a script completes. */
export async function openPage(page = SCRIPTED, type = "text/html") {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": type }).end(page);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

/**
 * Starts a service, uses it, and ends it by SIGTERM, which has to end it well.
 * @param {(child: import("node:child_process").ChildProcess) => Promise<void>} use
 */
export async function withService([program, ...args], options, use) {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const output = [];
  child.stdout.on("data", (bytes) => output.push(bytes));
  child.stderr.on("data", (bytes) => output.push(bytes));
  const ended = once(child, "exit");
  const said = () => Buffer.concat(output).toString("utf8").split("\n").slice(-20).join("\n");
  try {
    await use(child);
  } catch (error) {
    throw new Error(`${error.message}\nThe service said:\n${said()}`, { cause: error });
  } finally {
    if (child.exitCode === null) process.kill(innermost(child.pid, program), "SIGTERM");
  }
  const late = setTimeout(() => child.kill("SIGKILL"), 30_000);
  const [code, signal] = await ended;
  clearTimeout(late);
  if (code !== 0) throw new Error(`SIGTERM ended the service with ${code ?? signal}, not with 0.\n${said()}`);
}

/** What `unshare` has started, which ends as that does; another program itself. */
function innermost(pid, program) {
  if (program !== "unshare") return pid;
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ")[0]) || pid;
}

/** Repeats until it succeeds. */
export async function until(limitMs, attempt) {
  for (const endsAt = Date.now() + limitMs; ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > endsAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

export async function getJson(url, init) {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Fails with the sentence unless it is so. */
export function expect(isSo, sentence) {
  if (!isSo) throw new Error(sentence);
}

/** Bytes of all files below. */
export function bytesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? bytesOf(path) : entry.isFile() ? statSync(path).size : 0);
  }, 0);
}

export function inMegabytes(bytes) {
  const megabytes = bytes / 1e6;
  return `${megabytes < 10 ? megabytes.toFixed(1) : Math.round(megabytes)} MB`;
}

export function manifest(folder = ".") {
  return JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
}
