import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { beforeAll, describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

/** Logs in a process of its own, because logs go to the standard error of theirs. */
const SCRIPT = `
  import { openLog } from "./packages/kit/src/log/log.ts";
  const json = await openLog({ level: "info", format: "json" });
  const secret = "s3cret";
  for (const name of ["authorization", "cookie", "apiKey", "password", "token"]) {
    json.info({ [name]: secret, kept: 1 }, name);
    json.info({ headers: { [name]: secret, kept: 1 } }, name);
    json.info({ request: { headers: { [name]: secret, kept: 1 } } }, name);
  }
  json.info({ Authorization: secret, list: [{ TOKEN: secret, kept: 1 }] }, "spelt");
  const cause = Object.assign(new Error("of the cause"), { request: { password: secret } });
  json.error({ err: Object.assign(new Error("of the test", { cause }), { token: secret }) }, "failed");
  json.warn({ failure: Object.assign(new Error("elsewhere"), { apiKey: secret }) }, "failed elsewhere");
  const page = "https://shop.test/reset?token=s3cret";
  const fetchFailure = new TypeError("Failed to parse URL from " + page, { cause: Object.assign(new Error('{"at":"' + page + '"}'), { input: "s3cret of //no-url" }) });
  json.error({ err: Object.assign(fetchFailure, { page: new URL(page), uris: ["postgres://operator:s3cret@db.test/all"] }) }, "of addresses");
  const lookup = Object.assign(new Error("getaddrinfo ENOTFOUND s3cret.test"), { code: "ENOTFOUND", hostname: "s3cret.test" });
  json.error({ err: new Error("Step s3cret.test failed", { cause: lookup }) }, "of a name");
  const names = "Host: s3cret.test. is not in the cert's altnames: DNS:other.s3cret.test, DNS:s3cret.org";
  const tls = Object.assign(new Error(names), { reason: names, host: "s3cret.test", cert: { subject: { O: "s3cret" } } });
  json.error({ err: tls }, "of a certificate");
  const circle = { kept: 1, token: secret };
  circle.self = circle;
  json.info({ circle, at: new Date(0), url: new URL("http://a.test/"), none: null }, "shapes");
  json.debug("too fine");
  json.flush();
  const pretty = await openLog({ level: "debug", format: "pretty" });
  pretty.debug({ apiKey: secret, host: "shop.test" }, "for the eye");
  const silent = await openLog({ level: "silent", format: "json" });
  silent.fatal("never");
`;

let stdout: string;
let lines: readonly string[];

beforeAll(async () => {
  const args = ["--conditions=pergamon-source", "--import", "tsx", "--input-type=module", "-e", SCRIPT];
  const ended = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  ({ stdout } = ended);
  lines = ended.stderr.split("\n").filter(Boolean);
});

type Line = Readonly<Record<string, unknown>>;

/** The lines that are JSON. */
const parsed = () => lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Line);

describe("the log", () => {
  test("holds no secret, wherever it stands, and tells that there was one", () => {
    expect(lines.join("\n")).not.toContain("s3cret");
    for (const name of ["authorization", "cookie", "apiKey", "password", "token"]) {
      const told = { [name]: "[secret]", kept: 1 };
      expect(parsed().filter(({ msg }) => msg === name)).toMatchObject([
        told,
        { headers: told },
        { request: { headers: told } },
      ]);
    }
  });

  test("knows secrets however they are written, and in lists", () => {
    expect(parsed().find(({ msg }) => msg === "spelt")).toMatchObject({
      Authorization: "[secret]",
      list: [{ TOKEN: "[secret]", kept: 1 }],
    });
  });

  test("tells dates, addresses and circles, as far as they can be told", () => {
    expect(parsed().find(({ msg }) => msg === "shapes")).toMatchObject({
      circle: { kept: 1, token: "[secret]", self: { kept: 1, token: "[secret]" } },
      at: "1970-01-01T00:00:00.000Z",
      url: "http://a.test/",
      none: null,
    });
  });

  test("is one line of JSON per entry, on standard error", () => {
    expect(stdout).toBe("");
    expect(parsed()).toHaveLength(22);
    for (const line of parsed())
      expect(line).toMatchObject({ level: expect.any(Number), time: expect.any(Number) });
  });

  test("tells errors with their stack and their cause, under whatever name", () => {
    const failed = parsed().find(({ msg }) => msg === "failed");
    expect(failed).toMatchObject({
      level: 50,
      err: { type: "Error", message: "of the test: of the cause", token: "[secret]" },
    });
    expect(failed?.["err"]).toHaveProperty("stack", expect.stringMatching(/caused by: Error: of the cause/));
    expect(parsed().find(({ msg }) => msg === "failed elsewhere")).toMatchObject({
      failure: { message: "elsewhere", stack: expect.stringContaining("at "), apiKey: "[secret]" },
    });
  });

  test("tells failures without the addresses of pages and stores, and with those of the program", () => {
    const { err } = parsed().find(({ msg }) => msg === "of addresses") as { err: Record<string, string> };
    expect(err).toMatchObject({ message: 'Failed to parse URL from [url] {"at":"[url]', uris: ["[url]"] });
    expect(err["stack"]).toMatch(/at (?:.*\()?file:\/\/\//);
  });

  test("tells failures without the names of hosts", () => {
    const told = (message: string) => parsed().find(({ msg }) => msg === message)?.["err"];
    expect(told("of a name")).toMatchObject({
      message: "Step [host] failed: getaddrinfo ENOTFOUND [host]",
      stack: expect.stringContaining("ENOTFOUND [host]"),
    });
    const message = "Host: [host]. is not in the cert's altnames: [host] [host]";
    expect(told("of a certificate")).toMatchObject({ message, reason: message, cert: "[secret]" });
  });

  test("for the eye has the level, the time and the message first", () => {
    const line = lines.find((candidate) => candidate.includes("for the eye"));
    expect(line).toMatch(/^\S*\[\d\d:\d\d:\d\d\]\S* \S*DEBUG\S*: \S*for the eye/);
    expect(lines.join("\n")).toMatch(/host\S*: "shop\.test"/);
  });

  test("leaves out what is finer than its level", () => {
    expect(lines.join("\n")).not.toMatch(/too fine|never/);
  });
});
