import { beforeAll, describe, expect, test } from "vitest";

import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";

let world: World;

beforeAll(async () => {
  world = await openWorld();
});

interface Event {
  readonly type: string;
  readonly atMs: number;
  readonly pressure?: number;
  readonly pointerType?: string;
  readonly key?: string;
  readonly shiftKey?: boolean;
  readonly location?: number;
  readonly isTrusted: boolean;
}

const TYPES = ["pointermove", "pointerdown", "pointerup", "touchstart", "click", "keydown", "keyup"];

const PAGE = htmlPage(
  `<button id="go">Go</button><input id="name"><script>
  const events = [];
  for (const type of ${JSON.stringify(TYPES)}) addEventListener(type, (event) => {
    const { pressure, pointerType, key, shiftKey, location, isTrusted, timeStamp } = event;
    events.push({ type, pressure, pointerType, key, shiftKey, location, isTrusted, atMs: timeStamp });
    document.body.dataset.events = JSON.stringify(events);
  }, true);</script>`,
  `<meta name="viewport" content="width=device-width">`,
);

/** Events that the page saw of the actions. */
async function seen(actions: readonly object[], options: object = {}): Promise<readonly Event[]> {
  const url = world.site.page("/hands", PAGE);
  const tell = { type: "executeJavascript", script: "document.body.dataset.events" };
  const { body } = await world.scrape({ url, maxAge: 0, actions: [...actions, tell], ...options });
  expect(body.error).toBeUndefined();
  return JSON.parse(String(body.data.actions?.javascriptReturns[0]?.value)) as Event[];
}

const ofType = (events: readonly Event[], type: string) => events.filter((event) => event.type === type);

describe("hands", () => {
  test("a click comes by a short way, presses, and takes its time", async () => {
    const events = await seen([{ type: "click", selector: "#go" }]);
    const [down] = ofType(events, "pointerdown");
    const [up] = ofType(events, "pointerup");
    expect(ofType(events, "pointermove").length).toBeGreaterThanOrEqual(3);
    expect(down).toMatchObject({ pointerType: "mouse", pressure: 0.5 });
    expect((up?.atMs ?? 0) - (down?.atMs ?? 0)).toBeGreaterThanOrEqual(30);
    expect(ofType(events, "click")).toHaveLength(1);
    expect(events.every(({ isTrusted }) => isTrusted)).toBe(true);
  });

  test("on a phone a click is a tap", async () => {
    const events = await seen([{ type: "click", selector: "#go" }], { mobile: true });
    expect(ofType(events, "pointerdown")).toMatchObject([{ pointerType: "touch", pressure: 0.5 }]);
    expect(ofType(events, "touchstart")).toHaveLength(1);
    expect(ofType(events, "click")).toHaveLength(1);
  });

  test("capitals are typed with Shift, and keys one after the other", async () => {
    const events = await seen([
      { type: "click", selector: "#name" },
      { type: "write", text: "aB!" },
    ]);
    const keys = events.filter(({ type }) => type.startsWith("key"));
    expect(keys.map(({ type, key }) => `${type.slice(3)} ${key}`).join(", ")).toBe(
      "down a, up a, down Shift, down B, up B, up Shift, down Shift, down !, up !, up Shift",
    );
    expect(keys.find(({ key }) => key === "Shift")).toMatchObject({ location: 1, shiftKey: true });
    const [first, second, third] = keys.filter(({ type, key }) => type === "keydown" && key !== "Shift");
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(19);
    expect((third?.atMs ?? 0) - (second?.atMs ?? 0)).toBeGreaterThanOrEqual(19);
  });
});
