import { resolve } from "node:path";

import { z } from "zod";

import { parts } from "./all.ts";
import { isLoopback } from "../kit/loopback.ts";
import type { Context, Environment } from "./part.ts";
import { server } from "./server.ts";
import { stores } from "./stores.ts";

/** The settings of one process by part, with everything derived that needs no running service. */
export type Config = {
  readonly [Name in keyof typeof parts]: Readonly<ReturnType<(typeof parts)[Name]["read"]>>;
};

/** Settings that more than their own part depends on. */
const Shared = z.object({
  HOST: server.settings.shape.HOST,
  DATA_DIR: stores.settings.shape.DATA_DIR,
});

/**
 * Reads the settings of an environment. One that is empty counts as not set.
 * @throws Error that names every invalid setting in a line of its own.
 */
export function readConfig(environment: Environment): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ""));
  const problems = Object.values(parts).flatMap((part) => part.settings.safeParse(given).error?.issues ?? []);
  if (problems.length > 0) throw new Error(describeProblems(problems));
  const context = contextOf(given, environment);
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, part.read(given, context)]),
  ) as Config;
}

function contextOf(given: Environment, environment: Environment): Context {
  const { HOST, DATA_DIR } = Shared.parse(given);
  return {
    isLocal: isLoopback(HOST),
    dataDir: resolve(DATA_DIR),
    isTerminal: process.stdout.isTTY,
    environment,
  };
}

function describeProblems(issues: readonly z.core.$ZodIssue[]): string {
  return ["These settings are invalid:", ...issues.map(describeProblem)].join("\n");
}

function describeProblem({ path: [name, index], message }: z.core.$ZodIssue): string {
  const entry = typeof index === "number" ? `, entry ${index + 1}` : "";
  return `  ${String(name)}${entry}: ${message}`;
}
