import { type Command, InvalidArgumentError } from "commander";

import { readJson } from "../scrape/command/request-options.ts";
import type { MonitorBench, Program } from "../cli/program.ts";
import { counted } from "../cli/progress-line.ts";

interface CreateOptions {
  readonly name?: string;
  readonly schedule?: string;
  readonly cron?: string;
  readonly timezone?: string;
  readonly crawl?: boolean;
  readonly goal?: string;
  readonly retention?: number;
  readonly webhook?: string;
  readonly email?: readonly string[];
  readonly request?: object;
  readonly json?: boolean;
}

interface OutputOptions {
  readonly json?: boolean;
}

type Monitor = Awaited<ReturnType<MonitorBench["create"]>>["data"];
type Check = Awaited<ReturnType<MonitorBench["run"]>>;

const JSON_OPTION = ["--json", "Print the answer as JSON."] as const;
const ID = "id of the monitor, as shown by monitor list";
/** Entries that are printed at most. */
const LISTED = 100;

export function addMonitorCommand(cli: Command, createProgram: () => Program): void {
  const monitor = cli.command("monitor").description("Pages that are checked on a schedule.");
  const withBench: WithBench = (work) => useBench(createProgram(), work);
  addCreation(monitor, withBench);
  addReading(monitor, withBench);
  addChanges(monitor, withBench);
}

type WithBench = (work: (bench: MonitorBench) => Promise<void>) => Promise<void>;

function addCreation(monitor: Command, withBench: WithBench): void {
  monitor
    .command("create")
    .description("Have pages checked again and again, by the service while it runs.")
    .argument("[urls...]", "URLs of the pages; with --crawl, of one site")
    .option("-n, --name <name>", "Name. Default: the first URL.")
    .option("-s, --schedule <words>", "every 30 minutes, hourly, daily at 9:00, weekly … Default: daily.")
    .option("--cron <expression>", "Schedule as five fields, instead of words.")
    .option("--timezone <name>", "Time zone of the schedule. Default: UTC.")
    .option("--crawl", "Check the pages of the site that the URL begins.")
    .option("-g, --goal <words>", "What matters: a language model judges changes by it.")
    .option("--retention <days>", "Days for which checks are kept. Default: 30.", wholeNumber)
    .option("--webhook <url>", "Webhook URL for events of pages and checks.")
    .option("--email <addresses>", "Who is written to: comma list.", listed)
    .option("--request <file>", "JSON file with additional fields of the request.", readJson)
    .option(...JSON_OPTION)
    .action((urls: readonly string[], options: CreateOptions) =>
      withBench(async (bench) => {
        const { data, warning } = await bench.create(bodyOf(urls, options));
        if (warning !== undefined) process.stderr.write(`${warning}\n`);
        print(options, data, lineOf(data));
      }),
    );
}

function addReading(monitor: Command, withBench: WithBench): void {
  monitor
    .command("list")
    .description("List monitors, newest first.")
    .option(...JSON_OPTION)
    .action((options: OutputOptions) =>
      withBench(async (bench) => {
        const { data: monitors } = await bench.list(LISTED);
        print(options, monitors, monitors.map(lineOf).join("\n"));
      }),
    );

  monitor
    .command("run")
    .description("Start a check now. The service makes it while it runs.")
    .argument("<id>", ID)
    .option(...JSON_OPTION)
    .action((id: string, options: OutputOptions) =>
      withBench(async (bench) => {
        const check = await bench.run(id);
        print(options, check, checkLine(check));
      }),
    );

  monitor
    .command("checks")
    .description("List the checks of a monitor, newest first.")
    .argument("<id>", ID)
    .option(...JSON_OPTION)
    .action((id: string, options: OutputOptions) =>
      withBench(async (bench) => {
        const { checks } = await bench.checks(id, LISTED);
        print(options, checks, checks.map(checkLine).join("\n"));
      }),
    );

  monitor
    .command("check")
    .description("Print what a check found of each page, with what changed.")
    .argument("<id>", ID)
    .argument("<checkId>", "id of the check, as shown by monitor checks")
    .option(...JSON_OPTION)
    .action((id: string, checkId: string, options: OutputOptions) =>
      withBench(async (bench) => {
        const { check, pages: found } = await bench.check(id, checkId);
        const pages = found.map(({ status, url, error, diff }) =>
          [`${status}  ${url}`, error, diff?.["text"]].filter(Boolean).join("\n"),
        );
        print(options, { ...check, pages: found }, [checkLine(check), ...pages].join("\n"));
      }),
    );
}

function addChanges(monitor: Command, withBench: WithBench): void {
  for (const [name, status] of [
    ["pause", "paused"],
    ["resume", "active"],
  ] as const)
    monitor
      .command(name)
      .description(
        name === "pause" ? "Have a monitor not run until it is resumed." : "Have a monitor run again.",
      )
      .argument("<id>", ID)
      .action((id: string) =>
        withBench(async (bench) => print({}, undefined, lineOf((await bench.change(id, { status })).data))),
      );

  monitor
    .command("delete")
    .description("Delete a monitor with its checks.")
    .argument("<id>", ID)
    .action((id: string) =>
      withBench(async (bench) => {
        await bench.remove(id);
        process.stdout.write(`Deleted ${id}.\n`);
      }),
    );
}

async function useBench(program: Program, work: (bench: MonitorBench) => Promise<void>): Promise<void> {
  const bench = await program.openMonitors();
  try {
    await work(bench);
  } finally {
    await bench.close();
  }
}

function bodyOf(urls: readonly string[], options: CreateOptions): Readonly<Record<string, unknown>> {
  const { name, schedule, cron, timezone, crawl, goal, retention, webhook, email, request = {} } = options;
  const [first] = urls;
  const times = cron === undefined ? { text: schedule ?? "daily" } : { cron };
  const target = crawl ? { type: "crawl", url: first } : { type: "scrape", urls };
  return {
    name: name ?? first,
    schedule: { ...times, ...(timezone !== undefined && { timezone }) },
    ...(first !== undefined && { targets: [target] }),
    ...(goal !== undefined && { goal }),
    ...(retention !== undefined && { retentionDays: retention }),
    ...(webhook !== undefined && { webhook }),
    ...(email && { notification: { email: { enabled: true, recipients: email } } }),
    ...request,
    origin: "cli",
  };
}

function print({ json }: OutputOptions, answer: unknown, text: string): void {
  const shown = json ? JSON.stringify(answer, null, 2) : text;
  if (shown !== "") process.stdout.write(`${shown}\n`);
}

function lineOf({ id, status, schedule, name, nextRunAt }: Monitor): string {
  const next = nextRunAt === null ? "" : `, next ${nextRunAt}`;
  return `${id}  ${status}  ${schedule.cron} ${schedule.timezone}${next}  ${name}`;
}

function checkLine({ id, status, createdAt, summary, error }: Check): string {
  const { totalPages, changed, new: fresh, removed, error: failed } = summary;
  const found = Object.entries({ changed, new: fresh, removed, failed }).filter(([, count]) => count > 0);
  const list = found.map(([name, count]) => `${count} ${name}`).join(", ");
  const counts = `${counted(totalPages, "page")}: ${list === "" ? "no change" : list}`;
  return [id, status, createdAt, counts, error].filter(Boolean).join("  ");
}

function listed(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Expected a whole number.");
  return Number(text);
}
