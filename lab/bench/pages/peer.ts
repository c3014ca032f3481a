import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

import { freePort } from "../free-port.ts";
import { type ServerProcess, startAnswering } from "../processes.ts";

const PROGRAM = "crw-server";

/** The peer that is measured for comparison: fastCRW, of the same interface, written in Rust. */
export const PEER = "fastCRW";

/**
 * Starts the peer without a browser and without its limits on requests to one host; undefined where it is not installed.
 * `cargo install crw-server` installs it; `FASTCRW_PROGRAM` may name its program.
 */
export async function startPeer(): Promise<ServerProcess | undefined> {
  const program = peerProgram();
  if (program === undefined) return undefined;
  const port = await freePort();
  const settings = {
    CRW_ALLOW_LOOPBACK_FOR_TESTS: "1",
    CRW_SERVER__HOST: "127.0.0.1",
    CRW_SERVER__PORT: String(port),
    CRW_SERVER__RATE_LIMIT_RPS: "0",
    CRW_RENDERER__MODE: "none",
    CRW_CRAWLER__RESPECT_ROBOTS_TXT: "false",
    CRW_CRAWLER__REQUESTS_PER_SECOND: "100000",
    CRW_CRAWLER__MAX_CONCURRENCY: "64",
    CRW_CRAWLER__PER_HOST_MAX_CONCURRENT: "64",
    RUST_LOG: "error",
  };
  return startAnswering(program, settings, `http://127.0.0.1:${port}`);
}

function peerProgram(): string | undefined {
  const { FASTCRW_PROGRAM: named, PATH = "" } = process.env;
  if (named !== undefined) return named;
  const folders = [...PATH.split(delimiter), join(homedir(), ".cargo/bin")];
  return folders.map((folder) => join(folder, PROGRAM)).find((path) => existsSync(path));
}
