import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

const ADMIN_KEY = "operator-key-of-the-soak";

/** A service in a process of its own, that can be killed. */
export interface SoakService {
  readonly url: string;
  /** Ends it without a warning, as a crash does. */
  kill(): Promise<void>;
}

export interface ServiceOptions {
  /** What to run with Node: the built program, or the sources. */
  readonly command: readonly string[];
  readonly dataDir: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** @throws Error with what it printed, when it ends before it listens. */
export async function startSoakService({ command, dataDir, settings }: ServiceOptions): Promise<SoakService> {
  const child = spawn(process.execPath, command, {
    env: {
      ...process.env,
      AUTH: "keys",
      ADMIN_KEY,
      RATE_LIMIT: "off",
      DATA_DIR: dataDir,
      PORT: "0",
      EGRESS_ALLOW: "127.0.0.1",
      LOG_LEVEL: "error",
      LOG_FORMAT: "json",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return {
    url: await announcedUrl(child),
    async kill() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function announcedUrl(child: ChildProcess): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const url = /listening on (http:\S+)/.exec(output)?.[1];
      if (url) resolve(url);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", () => reject(new Error(`The service did not start. It printed: ${output}`)));
  });
}

/** Asks the operator's interface. @returns the body of the answer. */
export async function operate(
  url: string,
  path: string,
  body: unknown,
): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(`${url}/admin/api/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Readonly<Record<string, string>>;
}
