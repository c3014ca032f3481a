import type { Command } from "commander";

import type { KeyEntry } from "../keys.ts";
import { KeyRestrictions } from "../../api/key-restrictions.ts";
import type { Program } from "../../cli/program.ts";
import { tableOf } from "../../cli/progress-line.ts";

/** A limit that no list reaches. */
const ALL = Number.MAX_SAFE_INTEGER;

interface CreateOptions {
  readonly name: string;
  readonly team?: string;
  readonly restrictions?: string;
}

export function addKeysCommand(cli: Command, createProgram: () => Program): void {
  const keys = cli.command("keys").description("API keys of keyed mode (AUTH=keys).");

  keys
    .command("create")
    .description("Create a key. It is shown only once.")
    .option("--name <name>", "what the key is for", "default")
    .option("--team <teamId>", "id of the team, as shown by teams list")
    .option(
      "--restrictions <json>",
      'such as {"formats":["markdown"],"allowedIps":["10.0.0.0/8"],"credits":100}',
    )
    .action(async ({ name, team, restrictions }: CreateOptions) => {
      const narrowed = restrictions === undefined ? undefined : parseRestrictions(restrictions);
      const { keyId, apiKey } = await createProgram().administer((administration, defaultTeamId) =>
        administration.createKey({ teamId: team ?? defaultTeamId, name, restrictions: narrowed }),
      );
      process.stdout.write(`${apiKey}\n`);
      process.stderr.write(`Key ${keyId} was created. It cannot be shown again.\n`);
    });

  keys
    .command("list")
    .description("List all keys.")
    .option("--team <teamId>", "only keys of this team")
    .action(async ({ team }: { readonly team?: string }) => {
      const entries = await createProgram().administer((administration) =>
        administration.listKeys({ teamId: team, count: ALL }),
      );
      if (entries.length > 0) process.stdout.write(tableOf(KEY_HEADS, entries.map(keyCells)));
      else process.stderr.write("There are no keys yet. To create one, run: pergamon keys create\n");
    });

  keys
    .command("change")
    .description("Change the name or the restrictions of a key.")
    .argument("<keyId>", "the id, as shown by list")
    .option("--name <name>", "what the key is for")
    .option("--restrictions <json>", "replaces all restrictions of the key")
    .action(async (keyId: string, { name, restrictions }: Partial<CreateOptions>) => {
      const narrowed = restrictions === undefined ? undefined : parseRestrictions(restrictions);
      const isChanged = await createProgram().administer((administration) =>
        administration.changeKey(keyId, { name, restrictions: narrowed }),
      );
      if (!isChanged) throw noSuchKey(keyId);
      process.stdout.write(`Key ${keyId} was changed.\n`);
    });

  keys
    .command("revoke")
    .description("Revoke a key immediately.")
    .argument("<keyId>", "the id, as shown by list")
    .action(async (keyId: string) => {
      const isRevoked = await createProgram().administer((administration) => administration.revokeKey(keyId));
      if (!isRevoked) throw noSuchKey(keyId);
      process.stdout.write(`Key ${keyId} was revoked.\n`);
    });
}

function noSuchKey(keyId: string): Error {
  return new Error(`There is no valid key with the id ${keyId}. To see all keys, run: pergamon keys list`);
}

/** @throws when the text is not JSON, or restricts nothing that exists. */
function parseRestrictions(text: string): KeyRestrictions {
  return KeyRestrictions.parse(JSON.parse(text));
}

const KEY_HEADS = ["ID", "TEAM", "NAME", "CREATED", "LAST USED", "RESTRICTIONS"];

function keyCells(key: KeyEntry): readonly string[] {
  const { keyId, teamId, name, restrictions, createdAtMs, lastUsedAtMs, revokedAtMs } = key;
  const narrowed = Object.keys(restrictions).length > 0 ? JSON.stringify(restrictions) : "";
  const used = revokedAtMs === null ? day(lastUsedAtMs) : `revoked ${day(revokedAtMs)}`;
  return [keyId, teamId, name, day(createdAtMs), used, narrowed];
}

function day(timeMs: number | null): string {
  return timeMs === null ? "never" : new Date(timeMs).toISOString().slice(0, 10);
}
