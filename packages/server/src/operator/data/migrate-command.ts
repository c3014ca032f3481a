import { type Command, InvalidArgumentError } from "commander";

import type { Program } from "../../cli/program.ts";

interface Options {
  readonly from?: string;
  readonly to?: string;
}

export function addMigrateCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("migrate")
    .description("Migrate the database to the current version, or move it to Postgres.")
    .option(
      "--from <url>",
      "with --to: the database to move, sqlite:FILE; stop the service first",
      urlOf("sqlite:"),
    )
    .option("--to <url>", "an empty database, postgres://…", urlOf("postgres:", "postgresql:"))
    .action(async ({ from, to }: Options) => {
      if (from !== undefined && to !== undefined) return move(createProgram(), { from, to });
      if (from !== undefined || to !== undefined) cli.error("error: --from and --to belong together");
      await createProgram().migrate();
      process.stdout.write("The database is up to date.\n");
    });
}

async function move(program: Program, urls: { readonly from: string; readonly to: string }): Promise<void> {
  const tables = await program.moveDatabase({
    ...urls,
    onTable: ({ name, rows }) => process.stderr.write(`${name}: ${rows}\n`),
  });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  process.stdout.write(
    `${rows} rows of ${tables.length} tables were moved; numbers and digests agree. Set DATABASE_URL, SECRET_KEY (the content of secret.key), ADMIN_KEY and BLOBS_URL, and copy the blobs.\n`,
  );
}

function urlOf(...schemes: readonly string[]) {
  return (text: string): string => {
    if (schemes.some((scheme) => text.startsWith(scheme))) return text;
    throw new InvalidArgumentError(`It must begin with ${schemes[0]}`);
  };
}
