import type { Command } from "commander";

import { banner } from "./banner.ts";
import type { Program, Service } from "../program.ts";

export function addServeCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("serve")
    .description("Start the service.")
    .action(() => serve(createProgram()));
}

export async function serve(program: Program): Promise<void> {
  const service = await program.open();
  const { delayMs, limitMs } = program.config.server.drain;
  stopOnSignal(service, delayMs + limitMs);
  const address = await service.listen();
  if (service.isWorker) return;
  const { server, accounts } = program.config;
  const loginToken = await service.makeLoginToken?.();
  const facts = { auth: accounts.auth, freshAdminKey: service.freshAdminKey, loginToken };
  process.stdout.write(banner(server.publicUrl ?? address, facts));
}

const PARENT = "parent";

/**
 * Stops accepting, waits for running requests, and closes. A second signal, or the end of the grace time,
 * stops the service at once.
 */
function stopOnSignal(service: Service, graceMs: number): void {
  let isStopping = false;
  const stop = (signal: string) => {
    // A closed terminal sends the signal twice, from system and shell; a worker gets it from its parent and
    // from the sender.
    if (isStopping && (signal === "SIGHUP" || signal === PARENT)) return;
    if (isStopping) process.exit(1);
    isStopping = true;
    service.log.info({ signal }, "Stopping.");
    const grace = setTimeout(() => process.exit(1), graceMs).unref();
    service
      .close()
      .finally(() => clearTimeout(grace))
      .then(
        () => process.exit(0),
        (failure: unknown) => {
          service.log.error({ err: failure }, "Stopping failed.");
          process.exit(1);
        },
      );
  };
  // SIGHUP: the terminal was closed.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    // A terminal also signals the workers. Their parent decides when they stop.
    process.on(signal, service.isWorker && signal !== "SIGTERM" ? () => undefined : stop);
  }
  if (service.isWorker) process.on("message", () => stop(PARENT));
}
