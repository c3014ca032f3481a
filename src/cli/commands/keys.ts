import type { Command } from "commander";

import type { KeyEntry } from "../../accounts/keys.ts";
import type { Program } from "../program.ts";

export function addKeysCommand(cli: Command, createProgram: () => Program): void {
  const keys = cli.command("keys").description("API keys of keyed mode (AUTH=keys).");

  keys
    .command("create")
    .description("Make a key. It is shown once.")
    .option("--name <name>", "what the key is for", "default")
    .action(async ({ name }: { name: string }) => {
      const { keyId, apiKey } = await createProgram().keys.create(name);
      process.stdout.write(`${apiKey}\n`);
      process.stderr.write(`Key ${keyId} was made. It cannot be shown again.\n`);
    });

  keys
    .command("list")
    .description("Show all keys.")
    .action(async () => {
      const entries = await createProgram().keys.list();
      process.stdout.write(entries.map(describeKey).join(""));
      if (entries.length === 0) process.stderr.write("There is no key yet. Make one: pergamon keys create\n");
    });

  keys
    .command("revoke")
    .description("End a key at once.")
    .argument("<keyId>", "the id that list shows")
    .action(async (keyId: string) => {
      const isRevoked = await createProgram().keys.revoke(keyId);
      if (!isRevoked) throw new Error(`No valid key has the id ${keyId}. See: pergamon keys list`);
      process.stdout.write(`Key ${keyId} is revoked.\n`);
    });
}

function describeKey({ keyId, name, createdAtMs, lastUsedAtMs, revokedAtMs }: KeyEntry): string {
  const state = revokedAtMs === null ? `last used ${day(lastUsedAtMs)}` : `revoked ${day(revokedAtMs)}`;
  return `${keyId}  ${name}  created ${day(createdAtMs)}  ${state}\n`;
}

function day(timeMs: number | null): string {
  return timeMs === null ? "never" : new Date(timeMs).toISOString().slice(0, 10);
}
