import type { Command } from "commander";

import { nearestName } from "@pergamon-dev/kit/nearest";
import { allErrors } from "../../api/error-codes.ts";
import { type DescribedSetting, describeSettings } from "../../config/described-settings.ts";

export function addExplainCommand(cli: Command): void {
  cli
    .command("explain")
    .description("Print cause and remedy of an error, or what a setting does.")
    .argument("<name>", "code of an error, such as SCRAPE_TIMEOUT, its status, or name of a setting")
    .action((name: string) => void process.stdout.write(`${explain(name)}\n`));
}

/** @throws Error that proposes a name when there is none like this. */
export function explain(name: string): string {
  const settings = describeSettings({ environment: {}, fromFile: new Set() });
  const found = [
    ...allErrors.filter(({ code, status }) => isSame(code, name) || String(status) === name).map(errorLines),
    ...settings.filter((setting) => isSame(setting.name, name)).map(settingLines),
  ];
  if (found.length > 0) return found.join("\n\n");
  const names = [...allErrors.map(({ code }) => code), ...settings.map((setting) => setting.name)];
  const meant = nearestName(name.toUpperCase(), names);
  throw new Error(`${name} is neither an error nor a setting.${meant ? ` Did you mean ${meant}?` : ""}`);
}

function isSame(one: string, other: string): boolean {
  return one.toUpperCase() === other.toUpperCase();
}

function errorLines({ code, status, message, remedy }: (typeof allErrors)[number]): string {
  return [`${code} (HTTP ${status})`, message, ...(remedy === undefined ? [] : [remedy])].join("\n");
}

function settingLines({ name, help, usual, allowed }: DescribedSetting): string {
  const lines = [
    name,
    help,
    `Default: ${usual ?? "none"}`,
    ...(allowed === null ? [] : [`Allowed: ${allowed}`]),
  ];
  return lines.map(withoutLinks).join("\n");
}

/** Links of the page of settings lead nowhere in a terminal. */
function withoutLinks(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1");
}
