import { beforeAll, expect, test } from "vitest";

import { pauseService } from "./pauses/pauses.ts";
import { build, builtCommandLine, builtProgram } from "./built.ts";

/** `npm run soak -- pauses` sends all messages to all entrances, and judges how long another team waits, too. */
const ENTRANCES = [
  "REST, a list of empty objects",
  "REST, a list of addresses",
  "MCP, a list of empty objects",
  "MCP by lines, a list of empty objects",
  "CDP, a list of empty objects",
  "live view, a list of empty objects",
  "channel of the box, line ends",
  "interpreter, a pattern",
  "interpreter, a long argument",
  "model, faults of syntax",
  "model, a list of empty objects",
  "provider, a list of empty objects",
  "script of a caller, more than it may return",
  "stored answer, read by a model",
  "webhook, a document",
  "agent, a wide schema",
  "crawl, robots.txt of many robots and delays",
  "crawl, rules of robots.txt and long links",
  "map, 100,000 links and a search",
  "search, a page of 100,000 links",
  "monitor, a page of 100,000 lines that all change",
  "chunks, a page of 200,000 lines",
  "parse, a page with lists within each other",
  "parse, one long row and many short ones",
];

beforeAll(build, 120_000);

test.runIf(process.platform === "linux")(
  "no message of others keeps the main thread busy for longer than 200 ms",
  async () => {
    const report = await pauseService({
      command: builtProgram,
      commandLine: builtCommandLine,
      only: ENTRANCES,
      judgesAnswers: false,
    });
    expect(report.problems).toEqual([]);
    expect([...report.worst.keys()].toSorted()).toEqual(ENTRANCES.toSorted());
  },
  300_000,
);
