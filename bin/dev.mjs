import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, rmSync, watch } from "node:fs";
import { join } from "node:path";

import { bundle, stampPath, writeOutputs } from "./build.mjs";
import { explain, step } from "./progress.mjs";

/** Folders whose changes are built. */
const WATCHED = ["packages"];
const UNBUILT = /\.test\.tsx?$|(?:^|\/)\.|~$/;

/** Editors write a file in several steps, and several files at once. */
const SETTLE_MS = 60;
/** So long a service may end what it does before it is killed: nobody waits for its answers. */
const STOP_MS = 1000;

/**
 * Serves from the sources: builds the service and the dashboard, and again after each change, and restarts the service
 * then. What cannot be built is told, and the last service that could be goes on. Ends with this process.
 *
 * @param {string} root
 * @param {readonly string[]} args of the service
 */
export async function serveSources(root, args) {
  const esbuild = incremental(await import("esbuild"));
  const changes = watchFolders(root);
  let service;
  const stop = async () => {
    changes.close();
    await end(service);
    await esbuild.stop();
    process.exit();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, stop);
  for (;;) {
    if (await isBuilt(esbuild, root)) {
      await end(service);
      service = start(root, args);
    }
    await changes.next();
  }
}

async function isBuilt(esbuild, root) {
  try {
    await step("Building", async () => {
      const outputs = await bundle(esbuild, root, { isQuick: true });
      // What is there is not what npm start would have built.
      rmSync(stampPath(root), { force: true });
      writeOutputs(join(root, "dist"), outputs);
    });
    return true;
  } catch (error) {
    explain(error);
    return false;
  }
}

/** An esbuild that makes each build from what it knows of the same build before. */
function incremental(esbuild) {
  const contexts = new Map();
  return {
    async build(options) {
      const key = JSON.stringify(options);
      if (!contexts.has(key)) contexts.set(key, await esbuild.context(options));
      return contexts.get(key).rebuild();
    },
    stop: () => esbuild.stop(),
  };
}

function start(root, args) {
  const nodeArgs = ["--enable-source-maps", join(root, "dist", "main.js"), ...args];
  return spawn(process.execPath, nodeArgs, { cwd: root, stdio: "inherit" });
}

async function end(service) {
  if (!service || service.exitCode !== null || service.signalCode !== null) return;
  const ended = once(service, "exit");
  service.kill("SIGTERM");
  const killing = setTimeout(() => service.kill("SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(killing);
}

/** Changes below the watched folders; those that happen while nobody waits for one are told at once. */
function watchFolders(root) {
  let isChanged = false;
  let tell;
  let settling;
  const note = () => {
    isChanged = true;
    tell?.();
  };
  const seen = (_event, file) => {
    if (UNBUILT.test(String(file))) return;
    clearTimeout(settling);
    settling = setTimeout(note, SETTLE_MS);
  };
  const watchers = new Map();
  // NOTE: folder by folder, because a recursive watch of Node 20 on Linux loses a file that is saved by a rename.
  const watchAll = () => {
    for (const folder of WATCHED.flatMap((name) => foldersBelow(join(root, name)))) {
      if (!watchers.has(folder))
        watchers.set(
          folder,
          watch(folder, seen).on("error", () => forget(folder)),
        );
    }
  };
  const forget = (folder) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  watchAll();
  return {
    async next() {
      if (!isChanged) {
        await new Promise((resolve) => {
          tell = resolve;
        });
      }
      isChanged = false;
      tell = undefined;
      for (const folder of watchers.keys()) if (!existsSync(folder)) forget(folder);
      watchAll();
    },
    close() {
      for (const folder of watchers.keys()) forget(folder);
    },
  };
}

function foldersBelow(folder) {
  if (!existsSync(folder)) return [];
  const inside = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith("."),
  );
  return [folder, ...inside.flatMap(({ name }) => foldersBelow(join(folder, name)))];
}
