import { createServer } from "node:net";

import { z } from "zod";

import type { Finding } from "./finding.ts";

/** How long the one that listens there has to say what it is. */
const ANSWER_LIMIT_MS = 3000;
/** Addresses that stand for every address of the machine, and one at which it is reached. */
const REACHED_AT = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
]);

/** What `GET /readyz` answers, ready or not. */
const readiness = z.object({ status: z.string(), parts: z.array(z.object({ name: z.string() })) });

/** Whether the server could listen there now, or listens there already. */
export async function checkPort(host: string, port: number, signal?: AbortSignal): Promise<Finding> {
  const problem = await listenProblem(host, port);
  if (!problem) return { status: "found", detail: `${host}:${port} is free` };
  if (problem === "EADDRINUSE") {
    const status = await statusOfService(host, port, signal);
    if (status) return { status: "found", detail: `${host}:${port}: Pergamon is running and ${status}` };
    return {
      status: "problem",
      detail: `${host}:${port} is in use by another program`,
      cost: "The server does not start on this port.",
      remedy: "Stop the other program, or set PORT.",
    };
  }
  return {
    status: "problem",
    detail: `Pergamon cannot listen on ${host}:${port} (${problem})`,
    cost: "The server does not start.",
    remedy: "Set HOST to an address of this machine and PORT to a port above 1023.",
  };
}

/** What a Pergamon that listens there says of itself; undefined when it is something else. */
async function statusOfService(
  host: string,
  port: number,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const bare = REACHED_AT.get(host) ?? (host.includes(":") ? `[${host}]` : host);
  try {
    const limit = AbortSignal.any([AbortSignal.timeout(ANSWER_LIMIT_MS), ...(signal ? [signal] : [])]);
    const response = await fetch(`http://${bare}:${port}/readyz`, { redirect: "error", signal: limit });
    return readiness.parse(await response.json()).status;
  } catch {
    return undefined;
  }
}

/** The error code of trying to listen; undefined when it works. */
function listenProblem(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
