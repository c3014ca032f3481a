import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { checkPaths, idleSettings } from "./at-start.ts";
import { readConfig } from "./config.ts";

const folder = testFolder();

beforeAll(async () => {
  await writeFile(join(folder, "text"), "");
  await writeFile(join(folder, "program"), "", { mode: 0o700 });
  await chmod(join(folder, "text"), 0o600);
});

test.each([
  ["TESSERACT_PATH", "missing", "there is no program at FOLDER/missing"],
  ["FFMPEG_PATH", "text", "FOLDER/text may not be executed by this user"],
  ["YTDLP_PATH", ".", "there is no program at FOLDER"],
  ["BROWSER_PATH", "missing", "there is no program at FOLDER/missing"],
  ["PROVIDERS_FILE", "missing", "there is no file at FOLDER/missing"],
  ["BACKUP_DIR", "text", "FOLDER/text is not a folder"],
  ["CACHE_DIR", "/proc/nothing/below", "no folder can be made in /proc"],
  ["DATA_DIR", "/proc/nothing", "no folder can be made in /proc"],
])("the start is refused when %s is %s", (name, path, problem) => {
  const value = path.startsWith("/") ? path : join(folder, path);
  expect(() => checkPaths(readConfig({ [name]: value }))).toThrow(
    `These settings are invalid:\n  ${name}: ${problem.replace("FOLDER", folder)}`,
  );
});

test("paths that can be used are taken, folders also when they are not there yet", () => {
  const program = join(folder, "program");
  const data = join(folder, "new", "data");
  const file = join(folder, "text");
  const settings = { TESSERACT_PATH: program, DATA_DIR: data, BACKUP_DIR: data, PROVIDERS_FILE: file };
  expect(() => checkPaths(readConfig(settings))).not.toThrow();
});

const NO_SETTING = "which is no setting. Did you mean";

test.each([
  [{ LLM_MODEL: "m" }, "LLM_MODEL is set and does nothing without LLM_BASE_URL."],
  [{ LLM_MODEL: "m", LLM_BASE_URL: "http://127.0.0.1:1" }, undefined],
  [{ THREATS_KEY: "k" }, "THREATS_KEY is set and does nothing without THREATS_URL."],
  [{ MAIL_FROM: "me@a.test" }, "MAIL_FROM is set and does nothing without SMTP_URL."],
  [{ RATE_LIMITS: "5" }, `The environment has RATE_LIMITS, ${NO_SETTING} RATE_LIMIT?`],
  [{ BODY_MEMORY: "5" }, `The environment has BODY_MEMORY, ${NO_SETTING} BODY_MEMORY_MB?`],
  [{ TEAM_QUEUE_LENGTH: "5" }, `The environment has TEAM_QUEUE_LENGTH, ${NO_SETTING} TEAM_QUEUE?`],
  [{ ROBOTS_NAME: "me" }, `The environment has ROBOTS_NAME, ${NO_SETTING} ROBOTS_AGENT?`],
  [{ HOSTNAME: "me", NODE_ENV: "test", NODE_OPTIONS: "", PATH: "/bin" }, undefined],
])("of %j the start says: %s", (settings, sentence) => {
  expect(idleSettings(readConfig(settings))).toEqual(sentence === undefined ? [] : [sentence]);
});
