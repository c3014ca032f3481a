import { describe, expect, test } from "vitest";

import { parts } from "./all.ts";
import { readConfig } from "./config.ts";

const NAMES = Object.values(parts).flatMap(({ settings }) => Object.keys(settings.shape));
const LONG = "x".repeat(300);

/** The lines that say what is wrong with one setting. */
function problemsOf(name: string, value: string): readonly string[] {
  try {
    readConfig({ [name]: value });
    return [];
  } catch (failure) {
    return String(failure).split("\n").slice(1);
  }
}

function expectRefused(name: string, value: string): void {
  const problems = problemsOf(name, value);
  expect([value.slice(0, 100), problems.length > 0]).toEqual([value.slice(0, 100), true]);
  for (const line of problems) {
    expect(line).toMatch(new RegExp(`^  ${name}(?:, entry \\d+)?: \\S`));
    expect(line.length).toBeLessThan(1000);
  }
}

describe.each(NAMES)("%s", (name) => {
  test.each(["", " ", "\t\n"])("that is empty (%j) counts as not set", (value) => {
    expect(readConfig({ [name]: value })).toEqual(readConfig({}));
  });

  test.each(["a\0b", "/tmp/x\nADMIN_KEY=y", "x\u001b[2J", "http://a.test/\r\nx: y", "\u007f"])(
    "that holds a control character (%j) is refused by name, and told once",
    (value) => {
      expect(problemsOf(name, value)).toEqual([
        `  ${name}: contains a line break or another control character`,
      ]);
    },
  );

  test("that is absurdly long is refused by name, without quoting it", () => {
    expect(problemsOf(name, "9".repeat(1_000_001))).toEqual([`  ${name}: is longer than 1000000 characters`]);
  });
});

const ABSURD_NUMBERS = ["-1", "1.5", "1e3", "0x10", "+5", "٣", "NaN", "Infinity", "9007199254740993", "1 2"];
const ABSURD_WORDS = ["yes", "constructor", "__proto__", "ON", LONG];
const ABSURD_URLS = [
  "a.test",
  "//a.test",
  "http://",
  "http:// a.test",
  "ftp://a.test",
  "javascript:alert(1)",
  "file:///etc",
];
const ABSURD_KEYS = ["has a space in it", "schlüssel-mit-umlaut", "ключ-оператора-тут"];
const ABSURD_HOSTS = ["http://a.test", "a.test:80", "a b", "a..b", LONG, "$(id)", "../etc", "a.test/x"];

/** What each setting cannot be, in addition to what none can. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  HOST: ABSURD_HOSTS,
  PORT: [...ABSURD_NUMBERS, "65536"],
  PUBLIC_URL: [
    ...ABSURD_URLS,
    "http://me:pw@a.test",
    "http://a.test/?q",
    "http://a.test/#x",
    "http://a.test?",
  ],
  TRUSTED_PROXIES: ["proxy.test", "10.0.0.0/99", "10.0.0.1:80", "true", "*"],
  CORS_ORIGINS: ["*", "null", "a.test", "https://a.test/", "https://a.test/x", "https://me@a.test", LONG],
  MAX_CONNECTIONS: [...ABSURD_NUMBERS, "0", "1000000001"],
  WORKERS: [...ABSURD_NUMBERS, "0", "65"],
  NODE_URL: [
    ...ABSURD_URLS,
    "https://a.test:3100",
    "http://a.test",
    "http://0.0.0.0:3100",
    "http://[::]:3100",
    "http://me:pw@a.test:3100",
    "http://a.test:3100/x",
    "http://a.test:3100?x",
  ],
  NODE_SECRET: ["fifteen-letters", "has a space in it", "schlüssel-mit-umlaut"],
  ROLES: [...ABSURD_WORDS, ",", "api,api", "api work", "API", "none"],
  DRAIN_DELAY_SECONDS: [...ABSURD_NUMBERS, "601"],
  DRAIN_LIMIT_SECONDS: [...ABSURD_NUMBERS, "0", "86401"],
  V1: ABSURD_WORDS,
  SETTINGS_FROM_DASHBOARD: ABSURD_WORDS,
  DASHBOARD: ABSURD_WORDS,
  SECRET_KEY: ["short", "x".repeat(44), LONG],
  DATABASE_URL: ["mysql://a.test", "sqlite:", "pergamon.db", "sqlite:x?mode=ro", "postgres://host/"],
  DATABASE_DIRECT_URL: ["sqlite:x.db", "postgres://", "postgres://me@host/db?sslmode=prefer", "x"],
  BLOBS_URL: ["s3://bucket", "file:", "blobs", "memory"],
  CACHE_MAX_BYTES: [...ABSURD_NUMBERS, "0", "5GB"],
  AUTH: ABSURD_WORDS,
  ADMIN_KEY: [...ABSURD_KEYS, "short"],
  METRICS_KEY: [...ABSURD_KEYS, "short", "OPEN"],
  TEAM_CONCURRENCY: [...ABSURD_NUMBERS, "0", "none"],
  ZERO_DATA_RETENTION: ABSURD_WORDS,
  CREDIT_PRICE: ["0.002", "EUR 1", "-1 EUR", "1 eur", "0.0 EUR", "1e3 EUR", "1,5 EUR", LONG],
  TEAM_QUEUE: [...ABSURD_NUMBERS, "0", "off"],
  RATE_LIMIT: [...ABSURD_NUMBERS, "0", "60/m"],
  EGRESS_ALLOW: ["10.0.0.0/99", "10.0.0.1:0", "10.0.0.1:99999", "a b", "http://a.test"],
  DNS_SERVERS: ["dns.test", "10.0.0.1:0", "10.0.0.1:99999", "10.0.0.256"],
  PROXIES: ["{", "[1]", '[{"url":"ftp://a.test"}]', "/nowhere/proxies.json", "http://a.test:8080"],
  OUTBOUND_PROXY: [...ABSURD_URLS, "socks5://a.test", "127.0.0.1:3128"],
  EXTRA_CA_CERTS: ["/nowhere/ca.pem", "/", "package.json", "no"],
  SCRAPE_CONCURRENCY: [...ABSURD_NUMBERS, "0"],
  ROBOTS_AGENT: ["two words", "Bot/1.0", "bücher", LONG],
  SEARCH_URL: ["x", "https://engine.test", "brave://", "searxng+http://", "google-cse://key@"],
  SEARCH_KEY: [...ABSURD_KEYS],
  MAX_UNPARSED_UPLOADS: [...ABSURD_NUMBERS, "0"],
  JOB_RETENTION_HOURS: [...ABSURD_NUMBERS, "0"],
  HOST_CONCURRENCY: [...ABSURD_NUMBERS, "0", "1001"],
  JOB_EXPORT: ["true", "yes", "ON"],
  CRAWL_MAX_LIMIT: [...ABSURD_NUMBERS, "0", "1000000001"],
  BATCH_MAX_URLS: [...ABSURD_NUMBERS, "0", "100001"],
  WEBHOOK_SECRET: [...ABSURD_KEYS, "short"],
  WEBHOOK_SIGNATURE_HEADER: ["two words", "X:Y", "bücher", LONG],
  WEBHOOK_RETRY_SECONDS: ["x", "1,x", "0", "1.5", "86401"],
  SCRAPE_QUEUE: [...ABSURD_NUMBERS, "0"],
  BLOCKED_DOMAINS: ["https://a.test", "a.test:80", "*.a.test", "a b", "me@a.test", LONG, "$(id)"],
  BROWSER_URLS: [...ABSURD_URLS, "127.0.0.1:9222"],
  BROWSER_EGRESS_HOST: ABSURD_HOSTS,
  BROWSER_TABS: [...ABSURD_NUMBERS, "0", "10001"],
  BROWSER_SANDBOX: ABSURD_WORDS,
  CHANGE_TRACKING_DIFF: ABSURD_WORDS,
  INTERACT_CODE: ABSURD_WORDS,
  AD_LISTS: [...ABSURD_URLS, "list.txt"],
  PROFILE_SAVE_ON_SCRAPE: [...ABSURD_WORDS, "1", "TRUE"],
  INTERACT_SESSIONS: [...ABSURD_NUMBERS, "0", "1001"],
  AUDIT_COLLECTOR_URL: ABSURD_URLS,
  AUDIT_COLLECTOR_KEY: ABSURD_KEYS,
  PROVIDER_SECRETS: [
    "x",
    "[]",
    '{"a":1}',
    '{"a":""}',
    '{"a":{"value":"b"}}',
    '{"a":{"value":"b","hosts":["https://a.test"]}}',
  ],
  PERGAMON_URL: ABSURD_URLS,
  PERGAMON_API_KEY: ABSURD_KEYS,
  THREATS_URL: ["odd:x", "https:", "file:", "hosts.txt"],
  THREATS_KEY: ABSURD_KEYS,
  LLM_BASE_URL: ABSURD_URLS,
  LLM_API_KEY: ABSURD_KEYS,
  LLM_API: ABSURD_WORDS,
  LLM_FALLBACKS: ["{", "[1]", '[{"baseUrl":"ftp://a.test","model":"m"}]', '[{"baseUrl":"http://a.test"}]'],
  LLM_HEADERS: ["x", "[]", '{"a":1}'],
  LLM_TIMEOUT: ABSURD_NUMBERS,
  LLM_CONCURRENCY: ABSURD_NUMBERS,
  LLM_DAILY_TOKENS: ABSURD_NUMBERS,
  LLM_MAX_INPUT_TOKENS: [...ABSURD_NUMBERS, "999"],
  LLM_MAX_OUTPUT_TOKENS: [...ABSURD_NUMBERS, "99"],
  BODY_MEMORY_MB: ABSURD_NUMBERS,
  SMTP_URL: [...ABSURD_URLS, "https://mail.test"],
  MAIL_RECIPIENT_DOMAINS: ["a@b.test", "*.b.test", "b test"],
  ALERT_WEBHOOK_URL: ABSURD_URLS,
  ALERT_EMAIL: ["nobody", "a b@c.test", "a@b.test,@c.test", "A <a@b.test>", LONG],
  MAIL_FROM: ["nobody", "a b@c.test", "A <b@c.test", "A <b>"],
  CACHE_SCOPE: ABSURD_WORDS,
  LOG_LEVEL: ABSURD_WORDS,
  LOG_FORMAT: ABSURD_WORDS,
};

test.each(Object.entries(REFUSED))("%s is refused by name when it is absurd", (name, values) => {
  expect(NAMES).toContain(name);
  for (const value of values) expectRefused(name, value);
});

/** Paths and names of models may be anything else that can be written in one line. */
const ANY_TEXT = [
  "DATA_DIR",
  "BACKUP_DIR",
  "BROWSER_PATH",
  "CACHE_DIR",
  "LLM_MODEL",
  "TESSERACT_PATH",
  "FFMPEG_PATH",
  "YTDLP_PATH",
  "PROVIDERS_FILE",
  "NO_PROXY",
];

test("what each setting cannot be is told for all of them", () => {
  expect([...Object.keys(REFUSED), ...ANY_TEXT].toSorted()).toEqual(NAMES.toSorted());
});

test.each(ANY_TEXT)("%s may be any text of one line", (name) => {
  for (const value of ["$(id)", "../x", "ü", "a b", LONG]) expect(problemsOf(name, value)).toEqual([]);
});

test("a list of proxies may have several lines", () => {
  const { network } = readConfig({ PROXIES: '[\n\t{"url": "http://a.test:8080"}\r\n]\n' });
  expect(network.proxies).toHaveLength(1);
});
