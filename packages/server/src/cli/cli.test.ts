import { writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";

import { pino } from "pino";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { givenAddress } from "@pergamon-dev/kit/address";
import { openTestAccounts, type TestAccounts } from "../../../../test/accounts.ts";
import { type Config, readConfig } from "../config/config.ts";
import type { ScrapeData } from "../scrape/answer/schema.ts";
import * as commands from "../app/commands.ts";
import { runCli } from "./cli.ts";
import type { Program, Service } from "./program.ts";

const folder = testFolder();
let accounts: TestAccounts;
let stdout: string;
let stderr: string;
/** What the commands asked of the program. */
let asked: unknown[];
let service: Service;

beforeAll(async () => {
  accounts = await openTestAccounts();
});

beforeEach(() => {
  [stdout, stderr, asked] = ["", "", []];
  service = {
    listen: async () => "http://127.0.0.1:3002",
    close: async () => void asked.push("close"),
    log: pino({ level: "silent" }),
    isWorker: false,
    freshAdminKey: undefined,
    makeLoginToken: undefined,
  };
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
  vi.spyOn(process, "exit").mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** A program over real accounts; what only the whole service can do is noted. */
function programWith(settings: Readonly<Record<string, string>> = {}): Program {
  const config: Config = readConfig({
    DATA_DIR: folder,
    PATH: folder,
    CACHE_DIR: join(folder, "none"),
    ...settings,
  });
  return {
    config,
    inspect: async () => ({ config, partStates: [] }),
    open: async () => service,
    openScraper: async () => ({
      async scrape(body) {
        asked.push(body["url"]);
        return { markdown: "# Hello", metadata: {} } as unknown as ScrapeData;
      },
      async parse(path) {
        asked.push(path);
        return { markdown: "# File", metadata: {} } as unknown as ScrapeData;
      },
      openFile: () => Promise.reject(new Error("There is no file.")),
      close: async () => undefined,
    }),
    openSearcher: async () => ({
      async search(body) {
        asked.push(body);
        const web = [{ url: "http://site.test/a", title: "A", description: "About A", position: 1 }];
        return { data: { web }, warning: "Not all.", id: "0", creditsUsed: 2 };
      },
      close: async () => undefined,
    }),
    openMapper: async () => ({
      async map(body) {
        asked.push(body);
        const links = [
          { url: givenAddress("http://site.test/") },
          { url: givenAddress("http://site.test/a"), title: "A" },
        ];
        return { id: "0", links, creditsUsed: 1, warning: "Only these." };
      },
      close: async () => undefined,
    }),
    openRunner: () => Promise.reject(new Error("of the test")),
    openAgents: () => Promise.reject(new Error("of the test")),
    openTools: () => Promise.reject(new Error("of the test")),
    openWebhooks: () => Promise.reject(new Error("of the test")),
    openMonitors: () => Promise.reject(new Error("of the test")),
    serveMcp: async () => void asked.push("mcp"),
    migrate: async () => void asked.push("migrate"),
    async moveDatabase({ from, to, onTable }) {
      asked.push(`${from} > ${to}`);
      onTable({ name: "teams", rows: 3 });
      return [{ name: "teams", rows: 3 }];
    },
    administer: (work) => work(accounts.administration, accounts.teamId),
    makeLoginLink: async () => "http://127.0.0.1:3002/dashboard#login=abc",
    makeAdminKey: async () => "pa-0123456789",
    backup: async () => ({ files: ["pergamon.db"], blobs: 2, sizeBytes: 1_500_000, warnings: [] }),
    restore: async () => {
      throw new Error("A service runs over this folder. Stop it first.");
    },
  };
}

/** Runs a command line. @returns the exit code. */
async function run(args: readonly string[], program: () => Program = () => programWith()): Promise<number> {
  [stdout, stderr] = ["", ""];
  process.exitCode = 0;
  await runCli(args, { commands: Object.values(commands), createProgram: program, version: "1.2.3" });
  return process.exitCode;
}

const broken = (): Program => {
  throw new Error("These settings are invalid:\n  PORT: too large");
};

describe("dashboard", () => {
  test("prints a link that logs in", async () => {
    expect(await run(["dashboard"])).toBe(0);
    expect(stdout).toBe("http://127.0.0.1:3002/dashboard#login=abc\n");
  });

  test("says what to do when there is none", async () => {
    expect(await run(["dashboard"], () => programWith({ DASHBOARD: "off" }))).toBe(1);
    expect(stderr).toContain("Set DASHBOARD=on");
  });
});

describe("search", () => {
  test("prints what was found, and warns on standard error", async () => {
    expect(await run(["search", "two", "words", "-l", "3", "-s", "web,news", "-f", "markdown"])).toBe(0);
    expect(asked).toEqual([
      {
        query: "two words",
        limit: 3,
        sources: ["web", "news"],
        scrapeOptions: { formats: ["markdown"] },
        origin: "cli",
      },
    ]);
    expect([stdout, stderr]).toEqual(["A\nhttp://site.test/a\nAbout A\n", "Not all.\n"]);
  });

  test("prints the whole answer where that is wanted", async () => {
    await run(["search", "words", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ data: { web: [{ title: "A" }] }, creditsUsed: 2 });
  });
});

describe("map", () => {
  test("prints the pages of a site, one on each line, and warnings beside", async () => {
    const options = ["--search", "tea", "--limit", "5", "--sitemap", "only", "--no-subdomains", "--queries"];
    expect(await run(["map", "site.test", ...options])).toBe(0);
    expect([stdout, stderr]).toEqual(["http://site.test/\nhttp://site.test/a\n", "Only these.\n"]);
    expect(asked).toEqual([
      {
        url: "site.test",
        search: "tea",
        limit: 5,
        sitemap: "only",
        includeSubdomains: false,
        ignoreQueryParameters: false,
        origin: "cli",
      },
    ]);
  });

  test("prints the whole answer as JSON", async () => {
    await run(["map", "site.test", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ links: [{}, { title: "A" }], warning: "Only these." });
  });

  test("refuses limits that are none", async () => {
    await run(["map", "site.test", "--limit", "many"]);
    expect(stderr).toContain("Expected a whole number.");
  });
});

describe("the command line", () => {
  test.each(["--help", "scrape --help", "teams create --help", "help keys"])(
    "explains itself with broken settings, too: %s",
    async (line) => {
      await run(line.split(" "), broken);
      expect(stdout).toMatch(/^Usage: pergamon /);
      expect(stderr).toBe("exit 0\n");
    },
  );

  test("lists every command", async () => {
    await run(["--help"]);
    const names = ["admin-key", "audit", "doctor", "keys", "map", "migrate", "scrape", "serve", "teams"];
    for (const name of names) expect(stdout).toMatch(new RegExp(`^  ${name} .*\\S`, "m"));
  });

  test.each([
    [["nonsense"], /unknown command 'nonsense'/],
    [["scrap", "https://a.test/"], /unknown command 'scrap'\n\(Did you mean scrape\?\)/],
    [["scrape"], /missing required argument 'url'/],
    [["scrape", "a", "--odd"], /unknown option '--odd'/],
    [["keys", "revoke"], /missing required argument 'keyId'/],
    [["teams", "credits", "default", "many"], /Expected a whole number\./],
    [["teams", "credits", "default", "-5"], /Expected a whole number\./],
    [["teams", "create", "x", "--credits", "1.5"], /Expected a whole number\./],
    [["teams", "create", "x", "--period", "week"], /Allowed choices are day, month\./],
  ])("refuses %j, and says why", async (args, why) => {
    await run(args);
    expect(stderr).toMatch(why);
    expect(stderr).toMatch(/exit 1\n$/);
    expect(asked).toEqual([]);
  });

  test.each([
    [["https://a.test/page"], "https://a.test/page"],
    [["a.test"], "a.test"],
    [["localhost:3000/x"], "localhost:3000/x"],
    [["--full-page", "a.test"], "a.test"],
    [["scrape", "a.test"], "a.test"],
  ])("scrapes an address without a command: %j", async (args, url) => {
    expect(await run(args)).toBe(0);
    expect([stdout, asked]).toEqual(["# Hello\n", [url]]);
  });

  test.each(["--version", "-V"])("tells its version with broken settings, too: %s", async (option) => {
    await run([option], broken);
    expect([stdout, stderr]).toEqual(["1.2.3\n", "exit 0\n"]);
  });

  test("tells settings that are broken in words, without a stack", async () => {
    expect(await run(["migrate"], broken)).toBe(1);
    expect([stdout, stderr]).toEqual(["", "These settings are invalid:\n  PORT: too large\n"]);
  });
});

describe("keys", () => {
  const listed = async (...more: readonly string[]) => {
    await run(["keys", "list", ...more]);
    return stdout.split("\n").filter(Boolean);
  };

  async function makeKey(...more: readonly string[]) {
    expect(await run(["keys", "create", ...more])).toBe(0);
    return { apiKey: stdout.trim(), keyId: /^Key (\S+) was created/.exec(stderr)?.[1] ?? "" };
  }

  test("are made for the default team; only the key goes to standard output", async () => {
    const { apiKey, keyId } = await makeKey();
    expect(apiKey).toMatch(/^fc-[0-9a-f]{32}$/);
    expect(stderr).toBe(`Key ${keyId} was created. It cannot be shown again.\n`);
    expect(await accounts.callers.byKey(apiKey)).toMatchObject({ teamId: accounts.teamId, keyId });
  });

  test("are listed with their team, name, days and restrictions, and never themselves", async () => {
    const restrictions = '{"formats":["markdown"],"credits":3}';
    const { apiKey, keyId } = await makeKey("--name", "laptop", "--restrictions", restrictions);
    const day = new Date().toISOString().slice(0, 10);
    const [heads = "", ...lines] = await listed();
    expect(heads).toMatch(/^ID +TEAM +NAME +CREATED +LAST USED +RESTRICTIONS$/);
    const line = lines.find((one) => one.startsWith(keyId)) ?? "";
    expect(line.split(/ {2,}/)).toEqual([keyId, accounts.teamId, "laptop", day, "never", restrictions]);
    expect(line.indexOf("laptop")).toBe(heads.indexOf("NAME"));
    expect(stdout).not.toContain(apiKey);
  });

  test("are listed for one team; where there is none, how to make one is told", async () => {
    const made = await accounts.administration.createTeam({ name: "other" });
    const { keyId } = await makeKey("--team", made.teamId);
    expect((await listed("--team", made.teamId)).map((line) => line.split("  ")[0])).toEqual([
      "ID",
      made.keyId,
      keyId,
    ]);
    expect(await listed("--team", "nobody")).toEqual([]);
    expect(stderr).toBe("There are no keys yet. To create one, run: pergamon keys create\n");
  });

  test("are changed and revoked by their id", async () => {
    const { apiKey, keyId } = await makeKey("--name", "before");
    expect(await run(["keys", "change", keyId, "--name", "after", "--restrictions", '{"banned":true}'])).toBe(
      0,
    );
    expect(stdout).toBe(`Key ${keyId} was changed.\n`);
    expect((await listed()).join("\n")).toMatch(/  after  .*  \{"banned":true\}/);
    expect(await run(["keys", "revoke", keyId])).toBe(0);
    expect(stdout).toBe(`Key ${keyId} was revoked.\n`);
    expect(await accounts.callers.byKey(apiKey)).toBeUndefined();
    expect((await listed()).find((line) => line.startsWith(keyId))).toMatch(/  revoked \d{4}-\d\d-\d\d/);
  });

  test.each([
    [
      ["keys", "revoke", "nobody"],
      /^There is no valid key with the id nobody\. To see all keys, run: pergamon keys list\n$/,
    ],
    [["keys", "change", "nobody", "--name", "x"], /^There is no valid key with the id nobody/],
    [["keys", "create", "--team", "nobody"], /^Team not found\.\n$/],
    [["keys", "create", "--restrictions", '{"colour":"red"}'], /^Unrecognized key: "colour"\n$/],
    [["keys", "create", "--restrictions", '{"allowedIps":["x"]}'], /^allowedIps\.0: Not an IP address/],
    [["keys", "create", "--restrictions", "{"], /JSON/],
  ])("%j fails, with what is wrong", async (args, told) => {
    const before = await listed();
    expect(await run(args)).toBe(1);
    expect([stdout, stderr]).toEqual(["", expect.stringMatching(told)]);
    expect(await listed()).toEqual(before);
  });
});

describe("teams", () => {
  async function makeTeam(...args: readonly string[]) {
    expect(await run(["teams", "create", ...args])).toBe(0);
    return { apiKey: stdout.trim(), teamId: /^Team (\S+) was created/.exec(stderr)?.[1] ?? "" };
  }

  const lineOf = async (teamId: string) => {
    await run(["teams", "list"]);
    const line = stdout.split("\n").find((one) => one.startsWith(teamId));
    return line?.replaceAll(/ {2,}/g, "  ");
  };

  test("are made with a key, and shown with what they have", async () => {
    const { apiKey, teamId } = await makeTeam("Shop", "--credits", "5");
    expect(await accounts.callers.byKey(apiKey)).toMatchObject({ teamId });
    expect(await lineOf(teamId)).toBe(`${teamId}  Shop  5 left, 0 used this month`);
  });

  test("have flags, limits, an allowance and a policy", async () => {
    const granted = [
      "--allowance",
      "20",
      "--period",
      "day",
      "--concurrency",
      "3",
      "--requests-per-minute",
      "60",
    ];
    const flags = ["--flag", "zeroDataRetention=forced", "banned", "safeMode=false"];
    const policy = ["--threat-policy", '{"mode":"normal"}'];
    const { teamId } = await makeTeam("Full", ...granted, ...flags, ...policy);
    expect(await lineOf(teamId)).toBe(
      `${teamId}  Full  20 left, 20 a day, 0 used this month  zeroDataRetention=forced safeMode=false banned=true concurrency=3 requestsPerMinute=60 threats=normal`,
    );
  });

  test("are changed in what is named, and shown as they are then", async () => {
    const { teamId } = await makeTeam("Before", "--credits", "5", "--flag", "banned");
    expect(await run(["teams", "change", teamId, "--name", "After", "--flag", "banned=false"])).toBe(0);
    expect(stdout.split("\n")[1]).toBe(`${teamId}  After  5 left, 0 used this month  banned=false`);
    await run(["teams", "change", teamId, "--unlimited"]);
    expect(stdout.split("\n")[1]).toBe(`${teamId}  After  unlimited, 0 used this month  banned=false`);
    await run(["teams", "change", teamId, "--allowance", "7"]);
    expect(stdout).toContain("  12 left, 7 a month, 0 used");
    await run(["teams", "change", teamId, "--end-allowance"]);
    expect(stdout).not.toContain("a month");
  });

  test("lose their policy by the word none", async () => {
    const { teamId } = await makeTeam("Guarded", "--threat-policy", '{"mode":"normal"}');
    await run(["teams", "change", teamId, "--threat-policy", "none"]);
    expect(stdout).not.toContain("threats=");
  });

  test("get credits, and a ledger of how they moved", async () => {
    const { teamId } = await makeTeam("Paying", "--credits", "5");
    expect(await run(["teams", "credits", teamId, "3"])).toBe(0);
    expect(stdout).toBe("8 credits are left.\n");
    await run(["teams", "ledger", teamId]);
    const moves = stdout.trimEnd().split("\n");
    expect(moves.map((line) => line.split("  ").slice(1, 3))).toEqual([
      ["3", "issuer → prepaid"],
      ["5", "issuer → prepaid"],
    ]);
    for (const line of moves) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z  .*  [0-9a-f-]{36}$/);
    await run(["teams", "ledger", teamId, "--count", "1"]);
    expect(stdout).toBe(`${moves[0]}\n`);
  });

  test("are deleted with their data", async () => {
    const { teamId } = await makeTeam("Gone");
    expect(await run(["teams", "delete", teamId])).toBe(0);
    expect(stdout).toBe(`Team ${teamId} was deleted.\n`);
    expect(accounts.erased).toContain(teamId);
    expect(await lineOf(teamId)).toBeUndefined();
  });

  test.each([
    [["teams", "delete", "default"], /^The default team cannot be deleted\. \(BAD_REQUEST\)\n$/],
    [["teams", "delete", "nobody"], /^Team not found\.\n$/],
    [["teams", "change", "nobody", "--name", "x"], /^Team not found\.\n$/],
    [["teams", "credits", "nobody", "5"], /^Team not found\.\n$/],
    [["teams", "create", "x", "--flag", "colour=red"], /^Unrecognized key: "colour"\n$/],
    [["teams", "create", "x", "--flag", "banned=maybe"], /^banned: Invalid input/],
    [["teams", "create", "x", "--threat-policy", '{"mode":"loud"}'], /mode/],
    [["teams", "create", "x", "--threat-policy", "loud"], /JSON/],
  ])("%j fails, with what is wrong", async (args, told) => {
    expect(await run(args)).toBe(1);
    expect([stdout, stderr]).toEqual(["", expect.stringMatching(told)]);
  });
});

describe("audit", () => {
  test("prints the log as lines of JSON, oldest first, of all or of one team", async () => {
    const made = await accounts.administration.createTeam({ name: "audited", credits: 1 });
    await accounts.administration.addCredits(made.teamId, 2);
    await run(["audit", "--team", made.teamId]);
    const kinds = stdout
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds).toEqual(["team.created", "credits.added"]);
    const own = stdout;
    await run(["audit"]);
    expect(stdout.length).toBeGreaterThan(own.length);
    expect(stdout).toContain(own.split("\n")[0]);
    expect(await run(["audit", "--team", "nobody"])).toBe(0);
    expect(stdout).toBe("");
  });

  test("comes to its end, however long it is", async () => {
    for (let index = 0; index < 2001; index += 1) {
      accounts.audit.note({ kind: "scrape", teamId: "long", details: { index } });
    }
    await run(["audit", "--team", "long"]);
    const indexes = stdout
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { index: number }).index);
    expect(indexes).toEqual(Array.from({ length: 2001 }, (_event, index) => index));
  });
});

describe("migrate, admin-key", () => {
  test("migrate says when the database is up to date", async () => {
    expect(await run(["migrate"])).toBe(0);
    expect([stdout, asked]).toEqual(["The database is up to date.\n", ["migrate"]]);
  });

  test("admin-key prints the key alone, and warns beside", async () => {
    expect(await run(["admin-key"])).toBe(0);
    expect([stdout, stderr]).toEqual(["pa-0123456789\n", "It cannot be shown again.\n"]);
  });

  test("migrate moves a database when it is told from where and to where", async () => {
    expect(await run(["migrate", "--from", "sqlite:a.db", "--to", "postgres://me@host/b"])).toBe(0);
    expect(asked).toEqual(["sqlite:a.db > postgres://me@host/b"]);
    expect(stdout).toMatch(/^3 rows of 1 tables were moved/);
    expect(await run(["migrate", "--from", "sqlite:a.db"])).not.toBe(0);
    expect(await run(["migrate", "--from", "a.db", "--to", "postgres://me@host/b"])).not.toBe(0);
    expect(asked).toHaveLength(1);
  });

  test.each(["migrate", "admin-key"])("%s explains why it could not", async (name) => {
    const failing = () => Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" }));
    const program = { ...programWith(), migrate: failing, makeAdminKey: failing };
    expect(await run([name], () => program)).toBe(1);
    expect([stdout, stderr]).toEqual(["", expect.stringMatching(/^no space\nThe disk is full\. /)]);
  });
});

describe("doctor", () => {
  test("reports on this installation, and fails when something that should work does not", async () => {
    const server = createServer((visitor) => visitor.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const browser = join(folder, "browser");
    await writeFile(browser, "#!/bin/sh\necho Chromium 156.0.7204.49\n", { mode: 0o755 });
    const settings = { PORT: String(port), BROWSER_PATH: browser, DNS_SERVERS: "127.0.0.1:1" };
    expect(await run(["doctor"], () => programWith(settings))).toBe(1);
    expect(stdout).toMatch(/✔ Database /);
    expect(stdout).toContain(`Chromium 156.0.7204.49, ${browser}`);
    expect(stdout).toMatch(/✔ Data folder +\S*pergamon-test-/);
    expect(stdout).toMatch(new RegExp(`✘ Port +127\\.0\\.0\\.1:${port} is in use`));
    expect(stdout).toMatch(
      /– tesseract +not found; tesseract\.js 7 \(eng.*\n +Reading text in scanned .*\n +→ Install tesseract/,
    );
    expect(stdout).toMatch(/\n\d+ found, \d+ missing, [1-9] with problems\n$/);
    await new Promise((resolve) => server.close(resolve));
  });
});

describe("serve", () => {
  /** Signals that this test process would get. */
  const SIGNALS = ["SIGTERM", "SIGINT"] as const;
  let listeners: Record<(typeof SIGNALS)[number], NodeJS.SignalsListener[]>;

  beforeEach(() => {
    listeners = { SIGTERM: process.listeners("SIGTERM"), SIGINT: process.listeners("SIGINT") };
  });

  afterEach(() => {
    vi.useRealTimers();
    for (const signal of SIGNALS) {
      for (const listener of process.listeners(signal)) {
        if (!listeners[signal].includes(listener)) process.off(signal, listener);
      }
    }
  });

  test("prints where it listens, what to paste and, once, the operator's key", async () => {
    service = { ...service, freshAdminKey: "pa-0123" };
    expect(await run(["serve"])).toBe(0);
    expect(stdout).toMatch(/^Pergamon is listening on http:\/\/127\.0\.0\.1:3002\n/);
    expect(stdout).toContain("shown only once: pa-0123");
  });

  test("prints the public name where one is set, and the keyed lines in keyed mode", async () => {
    const settings = { PUBLIC_URL: "https://scrape.example/", AUTH: "keys" };
    await run(["serve"], () => programWith(settings));
    expect(stdout).toMatch(/^Pergamon is listening on https:\/\/scrape\.example\n/);
    expect(stdout).toContain("pergamon keys create");
  });

  test("that cannot listen explains why, and prints no banner", async () => {
    const failure = Object.assign(new Error("listen EADDRINUSE"), { code: "EADDRINUSE" });
    service = { ...service, listen: () => Promise.reject(failure) };
    expect(await run(["serve"])).toBe(1);
    expect([stdout, stderr]).toEqual([
      "",
      expect.stringMatching(/^listen EADDRINUSE\nAnother program uses this port/),
    ]);
  });

  test("that cannot open explains why", async () => {
    const program = { ...programWith(), open: () => Promise.reject(new Error("no database")) };
    expect(await run(["serve"], () => program)).toBe(1);
    expect(stderr).toBe("no database\n");
  });

  test.each(SIGNALS)("closes on %s, then ends well", async (signal) => {
    const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    await run(["serve"]);
    process.emit(signal, signal);
    await expect.poll(() => exit).toHaveBeenCalledWith(0);
    expect(asked).toEqual(["close"]);
  });

  test("ends with 1 when closing fails, and logs that", async () => {
    const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    service = { ...service, log, close: () => Promise.reject(new Error("stuck")) };
    await run(["serve"]);
    process.emit("SIGTERM", "SIGTERM");
    await expect.poll(() => exit).toHaveBeenCalledWith(1);
    expect(lines.join("")).toMatch(/"signal":"SIGTERM","msg":"Stopping\."[^]*"stuck"[^]*"Stopping failed\."/);
  });

  test("ends at once at the second signal", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    service = { ...service, close: () => new Promise(() => undefined) };
    await run(["serve"]);
    process.emit("SIGINT", "SIGINT");
    expect(exit).not.toHaveBeenCalled();
    process.emit("SIGTERM", "SIGTERM");
    expect(exit.mock.calls).toEqual([[1]]);
  });

  test("ends when closing takes more than 15 seconds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    service = { ...service, close: () => new Promise(() => undefined) };
    await run(["serve"]);
    process.emit("SIGTERM", "SIGTERM");
    vi.advanceTimersByTime(14_999);
    expect(exit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(exit.mock.calls).toEqual([[1]]);
  });
});
