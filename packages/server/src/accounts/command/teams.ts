import { type Command, InvalidArgumentError, Option } from "commander";

import type { TeamState } from "../administration.ts";
import { type Allowance, TeamFlags } from "../../api/teams.ts";
import { type TeamChanges } from "../teams.ts";
import { ThreatPolicy } from "../../api/threat-policy.ts";
import type { Program } from "../../cli/program.ts";
import { tableOf } from "../../cli/progress-line.ts";

/** Flags that are true or false. */
const SWITCHES = Object.keys(TeamFlags.shape).filter((name) => name !== "zeroDataRetention");
/** A limit that no list reaches. */
const ALL = Number.MAX_SAFE_INTEGER;

interface ChangeOptions {
  readonly name?: string;
  readonly allowance?: number;
  readonly period: Allowance["period"];
  readonly endAllowance?: boolean;
  readonly unlimited?: boolean;
  readonly concurrency?: number;
  readonly requestsPerMinute?: number;
  readonly flag?: readonly string[];
  readonly threatPolicy?: ThreatPolicy | null;
}

export function addTeamsCommand(cli: Command, createProgram: () => Program): void {
  const teams = cli.command("teams").description("Teams of keyed mode: permissions, limits and credits.");

  withChangeOptions(
    teams.command("create").description("Create a team with its first key. The key is shown only once."),
  )
    .argument("<name>", "name of the team")
    .option(
      "--credits <number>",
      "prepaid credits. Default: unlimited without --credits and --allowance",
      wholeNumber,
    )
    .action(async (name: string, options: ChangeOptions & { readonly credits?: number }) => {
      const { credits, ...changes } = options;
      const made = await createProgram().administer((administration) =>
        administration.createTeam({ ...changesOf(changes), name, credits }),
      );
      process.stdout.write(`${made.apiKey}\n`);
      process.stderr.write(`Team ${made.teamId} was created with this key. It cannot be shown again.\n`);
    });

  teams
    .command("list")
    .description("List all teams.")
    .action(async () => {
      const found = await createProgram().administer((administration) =>
        administration.listTeams({ count: ALL }),
      );
      process.stdout.write(tableOf(TEAM_HEADS, found.map(teamCells)));
    });

  withChangeOptions(teams.command("change").description("Change the permissions and limits of a team."))
    .argument("<teamId>", "the id, as shown by list")
    .option("--name <name>", "another name")
    .option("--end-allowance", "end the allowance")
    .option("--unlimited", "unlimited credits")
    .action(async (teamId: string, options: ChangeOptions) => {
      const changed = await createProgram().administer((administration) =>
        administration.changeTeam(teamId, changesOf(options)),
      );
      process.stdout.write(tableOf(TEAM_HEADS, [teamCells(changed)]));
    });

  addCreditCommands(teams, createProgram);

  teams
    .command("delete")
    .description("Delete a team and its data.")
    .argument("<teamId>", "the id, as shown by list")
    .action(async (teamId: string) => {
      await createProgram().administer((administration) => administration.deleteTeam(teamId));
      process.stdout.write(`Team ${teamId} was deleted.\n`);
    });
}

function addCreditCommands(teams: Command, createProgram: () => Program): void {
  teams
    .command("credits")
    .description("Add prepaid credits.")
    .argument("<teamId>", "the id, as shown by list")
    .argument("<number>", "credits to add", wholeNumber)
    .action(async (teamId: string, amount: number) => {
      const left = await createProgram().administer((administration) =>
        administration.addCredits(teamId, amount),
      );
      process.stdout.write(`${left} credits are left.\n`);
    });

  teams
    .command("ledger")
    .description("List the credit movements, newest first.")
    .argument("<teamId>", "the id, as shown by list")
    .option("--count <number>", "number of entries to list", wholeNumber, 50)
    .action(async (teamId: string, { count }: { readonly count: number }) => {
      const entries = await createProgram().administer((administration) =>
        administration.ledger(teamId, { count }),
      );
      for (const { id, from, to, amount, createdAtMs } of entries) {
        process.stdout.write(`${new Date(createdAtMs).toISOString()}  ${amount}  ${from} → ${to}  ${id}\n`);
      }
    });
}

function withChangeOptions(command: Command): Command {
  return command
    .option("--allowance <number>", "credits granted at the start of each period", wholeNumber)
    .addOption(
      new Option("--period <period>", "period of the allowance").choices(["day", "month"]).default("month"),
    )
    .option("--concurrency <number>", "maximum concurrent requests", wholeNumber)
    .option("--requests-per-minute <number>", "maximum scrapes per minute", wholeNumber)
    .option(
      "--flag <name=value...>",
      `zeroDataRetention=off|allowed|forced, ${SWITCHES.join(", ")}=true|false`,
    )
    .option(
      "--threat-policy <json>",
      'such as {"mode":"manual-only","blacklist":["*.evil.example"]}, or none',
      policyOf,
    );
}

function changesOf(options: ChangeOptions): TeamChanges {
  const { name, allowance, period, endAllowance, concurrency, requestsPerMinute, flag, threatPolicy } =
    options;
  return {
    isLimited: options.unlimited ? false : undefined,
    name,
    threatPolicy,
    allowance: endAllowance ? null : allowance === undefined ? undefined : { credits: allowance, period },
    limits: {
      ...(concurrency !== undefined && { concurrency }),
      ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    },
    flags: flag === undefined ? undefined : TeamFlags.parse(Object.fromEntries(flag.map(flagOf))),
  };
}

/** @throws when the text is not JSON or not a policy. */
function policyOf(text: string): ThreatPolicy | null {
  return text === "none" ? null : ThreatPolicy.parse(JSON.parse(text));
}

function flagOf(text: string): readonly [string, string | boolean] {
  const [name = "", value = "true"] = text.split("=");
  return [name, value === "true" ? true : value === "false" ? false : value];
}

function wholeNumber(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected a whole number.");
}

const TEAM_HEADS = ["ID", "NAME", "CREDITS", "SETTINGS"];

function teamCells(team: TeamState): readonly string[] {
  const { id, name, remaining, usedThisMonth, flags, limits, allowance, threatPolicy } = team;
  const credits = remaining === undefined ? "unlimited" : `${remaining} left`;
  const granted = allowance ? `, ${allowance.credits} a ${allowance.period}` : "";
  const threats = threatPolicy.mode === "off" ? undefined : { threats: threatPolicy.mode };
  const settings = { ...flags, ...limits, ...threats };
  const shown = Object.entries(settings).map(([key, value]) => `${key}=${String(value)}`);
  return [id, name, `${credits}${granted}, ${usedThisMonth} used this month`, shown.join(" ")];
}
