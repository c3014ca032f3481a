import { beforeAll, describe, expect, test } from "vitest";

import { build, builtProgram } from "./built.ts";
import { killWhileReading } from "./kill-large-pdfs.ts";

/** Takes longer to read than the shortest timeout allows. */
const PAGES = 300;

beforeAll(build, 120_000);

describe("A63 a large PDF whose service is killed", () => {
  test("in the middle is read from the start when it is asked for again, and billed once", async () => {
    const order = { pages: PAGES, moment: "reading", command: builtProgram } as const;
    const { told, status, markdown, credits, left } = await killWhileReading(order);
    expect(told[0]).toBe(1);
    expect([status, markdown.includes(`of page ${PAGES} tells a story.`)]).toEqual([200, true]);
    expect(credits[0] - credits[1]).toBe(PAGES);
    expect(left).toEqual([]);
  }, 180_000);

  test("once it is read is answered at once when it is asked for again, and billed once", async () => {
    const order = { pages: PAGES, moment: "kept", command: builtProgram } as const;
    const { told, status, markdown, credits, left } = await killWhileReading(order);
    expect(told).toEqual([1, 0]);
    expect([status, markdown.includes(`of page ${PAGES} tells a story.`)]).toEqual([200, true]);
    expect(credits[0] - credits[1]).toBe(PAGES);
    expect(left).toEqual([]);
  }, 180_000);
});
