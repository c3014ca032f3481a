import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";

import { processTree } from "../../test/process-tree.ts";
import type { Contender } from "../bench/content.ts";
import { type Reference, sharedWords } from "../corpora/pages.ts";

const LIMIT_MS = 600_000;

/** What a tool made of the pages of a set. */
export interface PageResult {
  readonly tool: string;
  /** Mean over the pages of the F1 of words. */
  readonly f1: number;
  readonly cpuMsPerPage: number;
  /** Of its process, after the last page. */
  readonly megabytes: number;
}

/**
 * Gives all pages to a tool in a process of its own, one after the other.
 * @returns undefined when it does not start, or takes longer than ten minutes.
 */
export async function convertPages(tool: Contender, pages: readonly Reference[]): Promise<PageResult | undefined> {
  const [program = "", ...args] = tool.command
    ? tool.command.split(" ")
    : [process.execPath, join(import.meta.dirname, "runner.mjs"), tool.module ?? "", tool.function];
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"], timeout: LIMIT_MS });
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const convert = async ({ name, html, url }: Reference): Promise<string | undefined> => {
    child.stdin.write(`${JSON.stringify({ id: name, html: Buffer.from(html).toString("utf8"), url })}\n`);
    const { value } = (await lines.next()) as { value?: string };
    return value === undefined ? undefined : (JSON.parse(value) as { markdown: string }).markdown;
  };
  const [first] = pages;
  // Loads what the tool needs, which counts for nothing.
  if (first === undefined || (await convert(first)) === undefined) return undefined;
  const tree = processTree(child.pid ?? 0);
  const before = tree.cpuMs();
  let sum = 0;
  for (const page of pages) {
    const markdown = await convert(page);
    if (markdown === undefined) return undefined;
    sum += sharedWords(markdown, page);
  }
  const result = {
    tool: tool.name,
    f1: sum / pages.length,
    cpuMsPerPage: (tree.cpuMs() - before) / pages.length,
    megabytes: tree.ownMegabytes(),
  };
  child.stdin.end();
  await ended;
  return result;
}
