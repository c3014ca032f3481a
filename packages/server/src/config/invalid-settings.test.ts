import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { readConfig } from "./config.ts";

const KEY = Buffer.alloc(32, 1).toString("base64");

type Settings = Readonly<Record<string, string>>;

describe("proxies in a file", () => {
  const folder = testFolder();

  beforeAll(async () => {
    await writeFile(join(folder, "good.json"), '[{"url":"http://p.test"}]');
    await writeFile(join(folder, "bad.json"), "{");
  });

  test("are read", () => {
    const { network } = readConfig({ PROXIES: join(folder, "good.json") });
    expect(network.proxies).toEqual([{ tier: "basic", url: "http://p.test/" }]);
  });

  test("are refused under the setting's name", () => {
    expect(problemsOf({ PROXIES: join(folder, "bad.json") })).toEqual([
      "PROXIES: The list of proxies is not valid JSON.",
    ]);
  });
});

/** The lines below the heading, which say what is wrong. */
function problemsOf(settings: Settings): readonly string[] {
  try {
    readConfig(settings);
  } catch (failure) {
    const [, ...lines] = String(failure).split("\n");
    return lines.map((line) => line.trim());
  }
  throw new Error("These settings are valid.");
}

test.each([
  ["HOST", "http://me.test", "must be an IP address or a host name, without scheme and port"],
  ["PORT", "abc", "must be a whole number from 0 to 65535"],
  ["PORT", "65536", "must be a whole number from 0 to 65535"],
  ["PORT", "1.5", "must be a whole number from 0 to 65535"],
  ["PUBLIC_URL", "pergamon.test", "must be a URL that begins with http:// or https://"],
  [
    "DATABASE_URL",
    "mysql://me:hunter2@db.test/x",
    'No database driver for "mysql:". Known: sqlite:, postgres:, postgresql:',
  ],
  ["DATABASE_URL", "sqlite:", 'A database URL needs a path, such as "sqlite:./data/pergamon.db".'],
  [
    "DATABASE_URL",
    "sqlite:x.db?mode=ro",
    "A database URL may end in ?synchronous=full or ?synchronous=normal, not in ?mode=ro",
  ],
  ["BLOBS_URL", "gs://bucket", 'No blob driver for "gs:". Known: file:, s3:, memory:'],
  ["BLOBS_URL", "file:", 'A blob URL needs a folder, such as "file:./data/blobs".'],
  ["CACHE_MAX_BYTES", "5GB", "must be a whole number from 1 to 1125899906842624"],
  ["AUTH", "none", "must be one of: open, keys"],
  ["ADMIN_KEY", "hunter2", "must have at least 16 characters"],
  ["METRICS_KEY", "hunter2", "must be open, or at least 16 printable ASCII characters without spaces"],
  ["TEAM_CONCURRENCY", "0", "must be a whole number from 1 to 1000000, or off"],
  ["TEAM_QUEUE", "off", "must be a whole number from 1 to 1000000"],
  ["RATE_LIMIT", "many", "must be a whole number from 1 to 1000000000, or off"],
  ["PROXIES", "{", "The list of proxies is not valid JSON."],
  [
    "PROXIES",
    '[{"url":"ftp://me:hunter2@p.test"}]',
    expect.stringMatching(/^The list of proxies is invalid: 0\.url /),
  ],
  ["PROXIES", "http://me:hunter2@p.test", "must be a JSON list, or the path of a readable file"],
  ["SCRAPE_CONCURRENCY", "-1", "must be a whole number from 1 to 100000"],
  ["SCRAPE_QUEUE", "1e99", "must be a whole number from 1 to 1000000"],
  ["BROWSER_TABS", "0", "must be a whole number from 1 to 10000"],
  ["BROWSER_SANDBOX", "yes", "must be one of: auto, on, off"],
  ["BROWSER_EGRESS_HOST", "10.0.0.9:80", "must be an IP address or a host name, without scheme and port"],
  ["PROFILE_SAVE_ON_SCRAPE", "1", "must be one of: true, false"],
  ["AUDIT_COLLECTOR_URL", "syslog://me:hunter2@x", "must be a URL that begins with http:// or https://"],
  ["THREATS_URL", "odd:x", 'No threat classifier driver for "odd:". Known: file:, http:, https:'],
  ["THREATS_URL", "https:", "The base URL of a threat classifier is not a URL."],
  ["THREATS_URL", "file:", 'A list of dangerous hosts needs a path, such as "file:./hosts.txt".'],
  ["LLM_BASE_URL", "model.test", "must be a URL that begins with http:// or https://"],
  ["LOG_LEVEL", "loud", "must be one of: fatal, error, warn, info, debug, trace, silent"],
  ["LOG_FORMAT", "xml", "must be one of: pretty, json"],
])("%s=%s is refused with what would be right", (name, value, message) => {
  const [line, ...more] = problemsOf({ [name]: value });
  expect(more).toEqual([]);
  expect(line?.startsWith(`${name}: `)).toBe(true);
  expect(line?.slice(`${name}: `.length)).toEqual(message);
  expect(line).not.toContain("hunter2");
});

test.each([
  ["TRUSTED_PROXIES", "proxy.test", '"proxy.test" is not an IP address or CIDR block'],
  ["CORS_ORIGINS", "app.test", '"app.test" is not an origin: give scheme and host, such as https://app.test'],
  ["SECRET_KEY", "aHVudGVyMg==", "must be 32 bytes in base64, such as the output of openssl rand -base64 32"],
  ["EGRESS_ALLOW", "10.0.0.0/99", '"10.0.0.0/99" has no valid network prefix (0 to 32).'],
  ["EGRESS_ALLOW", "10.0.0.1:0", '"10.0.0.1:0" has no valid port or port range (1 to 65535).'],
  ["DNS_SERVERS", "dns.test", '"dns.test" is not a name server address of the form address[:port].'],
  [
    "BLOCKED_DOMAINS",
    "https://a.test/",
    '"https://a.test/" is not a domain: give it without scheme, port and path',
  ],
  ["BLOCKED_DOMAINS", "a.test:80", '"a.test:80" is not a domain: give it without scheme, port and path'],
  [
    "BROWSER_URLS",
    "far.test?token=hunter2",
    "must be a URL that begins with ws:// or wss:// or http:// or https://",
  ],
  ["AD_LISTS", "list.txt", "must be a URL that begins with http:// or https://"],
])("%s names its wrong entry %s", (name, entry, message) => {
  const settings = { [name]: `${GOOD_ENTRIES[name]}, ${entry}` };
  expect(problemsOf(settings)).toEqual([`${name}, entry 2: ${message}`]);
});

const GOOD_ENTRIES: Settings = {
  SECRET_KEY: KEY,
  TRUSTED_PROXIES: "10.0.0.1",
  CORS_ORIGINS: "https://a.test",
  EGRESS_ALLOW: "10.0.0.1",
  DNS_SERVERS: "192.0.2.1",
  BLOCKED_DOMAINS: "b.test",
  BROWSER_URLS: "ws://127.0.0.1:9222",
  AD_LISTS: "https://lists.test/a.txt",
};

test("every invalid setting has a line of its own", () => {
  expect(problemsOf({ PORT: "abc", EGRESS_ALLOW: "a b,c d", LOG_LEVEL: "loud", DATA_DIR: "/x" })).toEqual([
    expect.stringMatching(/^PORT: /),
    expect.stringMatching(/^EGRESS_ALLOW, entry 1: /),
    expect.stringMatching(/^EGRESS_ALLOW, entry 2: /),
    expect.stringMatching(/^LOG_LEVEL: /),
  ]);
});

describe("a database of several machines", () => {
  const shared = { DATABASE_URL: "postgres://me:hunter2@db.test/pergamon" };
  const rest = {
    SECRET_KEY: Buffer.alloc(32, 1).toString("base64"),
    ADMIN_KEY: "a".repeat(16),
    BLOBS_URL: "file:/mnt/blobs",
  };

  test("needs the keys and the blobs to be the same everywhere", () => {
    expect(problemsOf(shared)).toEqual([
      expect.stringMatching(/^SECRET_KEY: is required when DATABASE_URL is not sqlite:/),
      expect.stringMatching(/^ADMIN_KEY: is required/),
      expect.stringMatching(/^BLOBS_URL: is required/),
    ]);
    expect(readConfig({ ...shared, ...rest }).stores.databaseUrl).toBe(shared.DATABASE_URL);
  });

  test("has no blobs in memory, and its direct URL is of Postgres, too", () => {
    expect(problemsOf({ ...shared, ...rest, BLOBS_URL: "memory:" })).toEqual([
      "BLOBS_URL: must not be memory: when DATABASE_URL is not sqlite:",
    ]);
    expect(problemsOf({ DATABASE_DIRECT_URL: shared.DATABASE_URL })).toEqual([
      expect.stringMatching(/^DATABASE_DIRECT_URL: is for a DATABASE_URL/),
    ]);
  });

  test("names no schema where a pooler is in between, but the usual one", () => {
    const pooled = { ...shared, ...rest, DATABASE_DIRECT_URL: shared.DATABASE_URL };
    const usual = { ...pooled, DATABASE_URL: `${shared.DATABASE_URL}?schema=public` };
    for (const settings of [pooled, usual])
      expect(readConfig(settings).stores.databaseDirectUrl).toBe(shared.DATABASE_URL);
    expect(problemsOf({ ...pooled, DATABASE_URL: `${shared.DATABASE_URL}?schema=own` })).toEqual([
      expect.stringMatching(
        /^DATABASE_URL: must not name another schema than public with DATABASE_DIRECT_URL/,
      ),
    ]);
  });

  test("has machines with some of the roles, which find each other", () => {
    const node = { NODE_URL: "http://10.0.0.5:3100", NODE_SECRET: "s".repeat(16) };
    expect(readConfig({ ...shared, ...rest, ...node, ROLES: "work, api" }).nodes.roles).toEqual(
      new Set(["api", "work"]),
    );
    expect(problemsOf({ ...shared, ...rest, ROLES: "work" })).toEqual([
      expect.stringMatching(/^NODE_URL: is required with ROLES/),
    ]);
    expect(problemsOf({ ROLES: "api" })).toEqual([
      expect.stringMatching(/^ROLES: must be api,work with an embedded database/),
    ]);
    expect(readConfig({ ROLES: "api,work", WORKERS: "2" }).nodes.roles.size).toBe(2);
    expect(problemsOf({ ROLES: "api,api" })).toEqual([
      expect.stringMatching(/^ROLES: must be one or several/),
    ]);
  });

  test.each([
    [
      { REDIS_URL: "redis://me:hunter2@redis.test" },
      /^REDIS_URL: is no longer a setting: limits .* Postgres/,
    ],
    [{ ROLES: "api,browse" }, /^ROLES: browse is no longer a role: .*BROWSER_URLS/],
  ])("tells what replaces settings that went: %j", (given, told) => {
    expect(problemsOf(given)).toContainEqual(expect.stringMatching(told));
    expect(problemsOf(given).join()).not.toContain("hunter2");
  });

  test("is shown without its password", () => {
    const { described } = readConfig({ ...shared, ...rest });
    expect(JSON.stringify(described)).not.toContain("hunter2");
  });
});

test("browsers elsewhere need an address that they reach", () => {
  expect(problemsOf({ BROWSER_URLS: "ws://127.0.0.1:1,ws://far.test:9222" })).toEqual([
    "BROWSER_EGRESS_HOST: must be the address of this machine at which the browsers of BROWSER_URLS reach it",
  ]);
});

test("a classifier that asks for a key needs one", () => {
  expect(problemsOf({ THREATS_URL: "https://risk.test" })).toEqual([
    "THREATS_KEY: is required by the classifier of THREATS_URL",
  ]);
});
