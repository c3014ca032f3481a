import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
  readonly children?: readonly number[];
}

/** What V8 writes about one thread. */
interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Called with a stretch of time: the source files on the stack, the innermost first; or what V8 itself did, in brackets. */
export type Share = (files: readonly string[], milliseconds: number) => void;

const NEVER = new Set(["(idle)", "(root)"]);
const OF_V8 = new Set(["(program)", "(garbage collector)"]);

/** Tells what a thread did, by the source files of a built service. */
export function readProfile(file: string, share: Share): void {
  const profile = JSON.parse(readFileSync(file, "utf8")) as Profile;
  const stacks = stacksOf(profile.nodes);
  const spent = new Map<number, number>();
  for (const [index, id] of profile.samples.entries())
    spent.set(id, (spent.get(id) ?? 0) + (profile.timeDeltas[index] ?? 0));
  for (const [id, microseconds] of spent) {
    const stack = stacks(id);
    if (stack) share(stack, microseconds / 1000);
  }
}

/** @returns the files on the stack of a node; undefined while the thread waits. */
function stacksOf(nodes: readonly ProfileNode[]): (id: number) => readonly string[] | undefined {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  return (id) => {
    const name = known.get(id)?.callFrame.functionName ?? "";
    if (NEVER.has(name)) return undefined;
    if (OF_V8.has(name)) return [name];
    const files: string[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = known.get(at)?.callFrame;
      if (frame?.url) files.push(sourceOf(frame));
    }
    return files;
  };
}

const maps = new Map<string, SourceMap | undefined>();

function sourceOf({ url, lineNumber, columnNumber }: ProfileNode["callFrame"]): string {
  if (!url.startsWith("file:")) return url;
  if (!maps.has(url)) maps.set(url, sourceMap(`${fileURLToPath(url)}.map`));
  const entry = maps.get(url)?.findEntry(lineNumber, columnNumber);
  const source = entry && "originalSource" in entry ? entry.originalSource : url;
  return source.replace(/^.*?(?=(?:packages|node_modules)\/)/, "");
}

function sourceMap(path: string): SourceMap | undefined {
  return existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, "utf8"))) : undefined;
}

/** The folder of a profile's files, and the file that says that profiles are wanted. */
export const wantedFile = (folder: string) => join(folder, "now");
