import type { Command } from "commander";

import type { Program, WebhookBench } from "../../cli/program.ts";

interface SecretOptions {
  readonly team?: string;
  readonly rotate?: boolean;
}

export function addWebhooksCommand(cli: Command, createProgram: () => Program): void {
  const webhooks = cli.command("webhooks").description("Webhooks of batches and crawls.");

  webhooks
    .command("secret")
    .description("Print the secret that signs the webhooks of a team.")
    .option("--team <teamId>", "id of the team, as shown by teams list. Default: the default team")
    .option("--rotate", "replace the secret first; receivers that know only the old one refuse webhooks then")
    .action(async ({ team, rotate = false }: SecretOptions) => {
      const secret = await withWebhooks(createProgram(), ({ webhooks: desk, defaultTeamId }) =>
        rotate ? desk.rotateSecret(team ?? defaultTeamId) : desk.secretOf(team ?? defaultTeamId),
      );
      process.stdout.write(`${secret}\n`);
    });

  webhooks
    .command("resend")
    .description("Resend a webhook, or all webhooks of a job that were given up.")
    .argument("<id>", "webhookId of the webhook, or id of the job")
    .action(async (id: string) => {
      const resent = await withWebhooks(createProgram(), async ({ webhooks: desk }) =>
        (await desk.resend(id)) ? 1 : desk.resendDead(id),
      );
      if (resent === 0)
        throw new Error(
          `Nothing to resend: ${id} is neither an ended webhook nor a job with failed webhooks.`,
        );
      process.stdout.write(
        `${resent} ${resent === 1 ? "webhook" : "webhooks"} to resend. The service sends them while it runs.\n`,
      );
    });
}

async function withWebhooks<T>(program: Program, work: (bench: WebhookBench) => Promise<T>): Promise<T> {
  const bench = await program.openWebhooks();
  try {
    return await work(bench);
  } finally {
    await bench.close();
  }
}
