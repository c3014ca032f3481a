import { describe, expect, test } from "vitest";

import { type Engine, SCRIPTS } from "../engine.ts";
import { type Answer, engineOf, ladderOf, refusal, SHELL, TEXT } from "./fallback.suite.ts";
import { never, visitOf } from "../visit.suite.ts";

const allEnginesFailed: Answer = { code: "SCRAPE_ALL_ENGINES_FAILED", message: "Nothing came." };

interface World {
  /** What the engine that the test adds is. */
  readonly third: Partial<Engine> & { readonly answer?: () => Answer };
  readonly fetched?: Answer;
  readonly full?: Partial<Engine> & { readonly answer?: () => Answer };
}

/** A cheap engine that offers nothing, a dear one that offers everything, and a third one that is used nowhere else. */
function openWorld({ third, fetched = TEXT, full = {} }: World) {
  const calls: string[] = [];
  const engines = [
    engineOf("fetch", { calls, answer: () => fetched }),
    engineOf("full", { calls, offers: "everything", cost: 50, ...full }),
    engineOf("third", { calls, cost: 5, ...third }),
  ];
  return { fallback: ladderOf(engines), calls, names: () => calls.map((call) => call.split(" ", 1)[0]) };
}

describe("an engine that one object adds", () => {
  test("brings what is missing when it is the cheapest that can", async () => {
    const { fallback, calls } = openWorld({ third: { offers: [SCRIPTS] }, fetched: SHELL });
    const { capture, isWhole } = await fallback.acquire(visitOf(), never);
    expect(capture.engine).toBe("third");
    expect(isWhole).toBe(true);
    expect(calls).toEqual(["fetch http://site.test/page", "third http://site.test/page"]);
  });

  test("comes first when it is the cheapest of all", async () => {
    const { fallback, names } = openWorld({ third: { cost: 0.1 } });
    expect((await fallback.acquire(visitOf(), never)).capture.engine).toBe("third");
    expect(names()).toEqual(["third"]);
  });

  test("comes first where it does all that is asked for, so that the site sees one visitor", async () => {
    const { fallback, names } = openWorld({ third: { offers: ["mobile"] } });
    const { capture } = await fallback.acquire(visitOf({ browserFeatures: ["mobile"] }), never);
    expect(capture.lacks).toBeUndefined();
    expect(names()).toEqual(["third"]);
  });

  test("is passed over when it does not offer what is asked for, or costs more", async () => {
    const asked = visitOf({ browserFeatures: ["screenshot"] });
    const idle = openWorld({ third: { offers: ["actions"] } });
    expect((await idle.fallback.acquire(asked, never)).capture.engine).toBe("full");
    const dear = openWorld({ third: { offers: ["screenshot"], cost: 500 } });
    expect((await dear.fallback.acquire(asked, never)).capture.engine).toBe("full");
    const absent = openWorld({ third: { offers: ["screenshot"], isAvailable: async () => false } });
    expect((await absent.fallback.acquire(asked, never)).capture.engine).toBe("full");
  });

  test("is passed over for one that offers all of what is asked for", async () => {
    const { fallback, names } = openWorld({ third: { offers: ["screenshot"] } });
    await fallback.acquire(visitOf({ browserFeatures: ["screenshot", "waitFor"] }), never);
    expect(names()).toEqual(["full"]);
  });

  test("does what it can where no other does more, and the capture says what it lacks", async () => {
    const full = { isAvailable: async () => false };
    const { fallback } = openWorld({ third: { offers: ["screenshot"] }, full });
    const asked = visitOf({ browserFeatures: ["screenshot", "waitFor"] });
    expect(await fallback.acquire(asked, never)).toMatchObject({
      capture: { engine: "third", lacks: ["waitFor"] },
      isWhole: false,
    });
    const acting = visitOf({ browserFeatures: ["screenshot", "actions"] });
    await expect(fallback.acquire(acting, never)).rejects.toMatchObject({
      code: "SCRAPE_ACTIONS_NOT_SUPPORTED",
    });
  });

  test("is followed by the next one when it fails", async () => {
    const { fallback, names } = openWorld({
      third: { offers: [SCRIPTS], answer: () => refusal },
      fetched: SHELL,
    });
    const { capture } = await fallback.acquire(visitOf(), never);
    expect(capture.engine).toBe("full");
    expect(names()).toEqual(["fetch", "third", "full"]);
  });

  test("is named among those that failed", async () => {
    const { fallback } = openWorld({
      third: { offers: ["screenshot"], answer: () => allEnginesFailed },
      full: { offers: ["waitFor"], answer: () => allEnginesFailed },
    });
    const asked = fallback.acquire(visitOf({ browserFeatures: ["screenshot", "waitFor"] }), never);
    await expect(asked).rejects.toThrow("Engines tried: [fetch, third, full]. Nothing came.");
  });

  test("that fails leaves the page that was fetched, when nobody asked for more", async () => {
    const { fallback } = openWorld({
      third: { offers: [SCRIPTS], answer: () => refusal },
      fetched: SHELL,
      full: { answer: () => refusal },
    });
    expect(await fallback.acquire(visitOf(), never)).toMatchObject({
      capture: { engine: "fetch" },
      isWhole: false,
    });
  });

  test("gets ready while the page is fetched, if it is going to be needed", async () => {
    const warmed: string[] = [];
    const warmUp = (name: string) => () => void warmed.push(name);
    const { fallback } = openWorld({
      third: { offers: ["screenshot"], warmUp: warmUp("third") },
      full: { offers: ["waitFor"], warmUp: warmUp("full") },
    });
    await fallback.acquire(visitOf(), never);
    expect(warmed).toEqual([]);
    await fallback.acquire(visitOf({ browserFeatures: ["screenshot", "waitFor"] }), never);
    expect(warmed).toEqual(["third"]);
  });

  test("is looked for in the background, and may be what visits wait for", async () => {
    let lookedFor = 0;
    const isAvailable = async () => {
      lookedFor += 1;
      throw new Error("It is not there.");
    };
    const { fallback } = openWorld({ third: { isAvailable, isStarting: true } });
    fallback.prepare();
    expect(lookedFor).toBe(1);
    expect(fallback.isStarting).toBe(true);
    expect(openWorld({ third: {} }).fallback.isStarting).toBe(false);
  });
});

test("without any engine that is available nothing is tried", async () => {
  const engines = [engineOf("fetch", { isAvailable: async () => false })];
  const nothing = ladderOf(engines).acquire(visitOf(), never);
  await expect(nothing).rejects.toThrow("Engines tried: []. No engine is available.");
});
