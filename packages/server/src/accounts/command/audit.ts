import type { Command } from "commander";

import type { LedgerAudit } from "../ledger-audit.ts";
import type { Program } from "../../cli/program.ts";

/** Events per read. */
const BATCH = 1000;

interface AuditOptions {
  readonly team?: string;
  readonly ledger?: true;
}

export function addAuditCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("audit")
    .description("Print the audit log as JSON Lines, oldest first, or verify the ledger of credits.")
    .option("--team <teamId>", "only events of this team")
    .option(
      "--ledger",
      "add up all entries of credits, compare them with the accounts, and fail if they differ",
    )
    .action(async ({ team, ledger }: AuditOptions, command: Command) => {
      if (ledger && team !== undefined) command.error("error: --ledger verifies all teams: leave --team out");
      await (ledger ? verifyLedger(createProgram()) : printEvents(createProgram(), team));
    });
}

async function printEvents(program: Program, teamId: string | undefined): Promise<void> {
  await program.administer(async (administration) => {
    let afterId: string | undefined;
    for (;;) {
      const lines = await administration.audit({ teamId, afterId, count: BATCH });
      process.stdout.write(lines.map(({ text }) => `${text}\n`).join(""));
      afterId = lines.at(-1)?.id;
      if (lines.length < BATCH) return;
    }
  });
}

async function verifyLedger(program: Program): Promise<void> {
  const audit = await program.administer((administration) => administration.auditLedger());
  process.stdout.write(describeAudit(audit));
  if (audit.problems.length > 0) process.exitCode = 1;
}

function describeAudit({ sums, problems }: LedgerAudit): string {
  const { teams, entries, granted, used, left, allotted, usedWithoutEnd } = sums;
  const taken = allotted > 0 ? ` + ${allotted} allotted to processes` : "";
  const balance = `${granted} credits granted = ${used} used + ${left} left${taken}`;
  const others = usedWithoutEnd > 0 ? `; ${usedWithoutEnd} used by teams without a limit` : "";
  const facts = `${entries} entries of ${teams} teams: ${balance}${others}.`;
  if (problems.length === 0) return `The ledger adds up. ${facts}\n`;
  const lines = problems.map((problem) => `  ${problem}\n`).join("");
  return `The ledger does NOT add up.\n${lines}`;
}
