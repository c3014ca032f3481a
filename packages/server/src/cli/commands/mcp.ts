import type { Command } from "commander";

import type { Program } from "../program.ts";

export function addMcpCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("mcp")
    .description("Serve a client of the Model Context Protocol on standard input and output.")
    .action(async () => {
      await createProgram().serveMcp({ input: process.stdin, output: process.stdout });
    });
}
