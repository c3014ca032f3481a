import { createServer } from "node:net";

import type { Finding } from "./finding.ts";

/** Whether the server could listen there now. */
export async function checkPort(host: string, port: number): Promise<Finding> {
  const problem = await listenProblem(host, port);
  if (!problem) return { status: "found", detail: `${host}:${port} is free` };
  if (problem === "EADDRINUSE") {
    return {
      status: "problem",
      detail: `${host}:${port} is in use, perhaps by Pergamon itself`,
      cost: "A second server does not start there.",
      remedy: "Stop the other program, or set PORT.",
    };
  }
  return {
    status: "problem",
    detail: `${host}:${port} cannot be listened on (${problem})`,
    cost: "The server does not start.",
    remedy: "Set HOST to an address of this machine and PORT to a port above 1023.",
  };
}

/** The error code of trying to listen; undefined when it works. */
function listenProblem(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
