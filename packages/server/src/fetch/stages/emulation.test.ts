import { describe, expect, test } from "vitest";

import { attemptOf, never, visitOf } from "../visit.suite.ts";
import type { BrowserOrder } from "../visit.ts";
import { openEmulation } from "./emulation.ts";
import { recordTab } from "./recorded-tab.suite.ts";
import type { OpenPage } from "./stage.ts";

const order = (changes: Partial<BrowserOrder>) => ({ browser: { ...visitOf().browser, ...changes } });

function pageOf(changes: Parameters<typeof attemptOf>[0] = {}): OpenPage {
  return { ...attemptOf(changes), settle: async () => "quiet" };
}

describe("sections 3.18 and 3.19: how a visitor appears", () => {
  const agents = ({ commands }: ReturnType<typeof recordTab>) =>
    commands
      .filter(({ method }) => method === "Emulation.setUserAgentOverride")
      .map(({ params }) => params["userAgent"]);

  test("fits the place, and is told with the capture", async () => {
    const { stage } = openEmulation();
    const recorded = recordTab();
    await stage.prepare?.(recorded.tab, attemptOf({ country: "JP" }), never);
    const sent = JSON.stringify(recorded.commands);
    expect(sent).toContain("Asia/Tokyo");
    expect(sent).toContain("ja-JP");
    expect(await stage.onReady?.(recorded.tab, pageOf({ country: "JP" }), never)).toEqual({
      timezone: "Asia/Tokyo",
    });
  });

  test("is that of a desk, of a phone, or what the caller says", async () => {
    const { stage } = openEmulation();
    const visits = [{}, order({ mobile: true }), { headers: { "User-Agent": "Mine/1.0" } }];
    const seen = await Promise.all(
      visits.map(async (changes) => {
        const recorded = recordTab();
        await stage.prepare?.(recorded.tab, attemptOf(changes), never);
        return agents(recorded).at(-1);
      }),
    );
    expect(seen).toEqual([
      expect.stringMatching(/(?:Linux x86_64|Macintosh|Windows).* Chrome\/153\.0\.0\.0 Safari/),
      expect.stringContaining("Android"),
      "Mine/1.0",
    ]);
  });

  test("costs nothing in a tab that looks like that already", async () => {
    const { stage, prepareIdleTab } = openEmulation();
    await stage.prepare?.(recordTab().tab, attemptOf(), never);
    const idle = recordTab();
    await prepareIdleTab(idle.tab);
    const before = idle.commands.length;
    expect(before).toBeGreaterThan(0);
    await stage.prepare?.(idle.tab, attemptOf(), never);
    expect(idle.commands).toHaveLength(before);
    await stage.prepare?.(idle.tab, attemptOf({ country: "DE" }), never);
    expect(idle.commands.length).toBeGreaterThan(before);
  });

  test("is not prepared where it is never taken off again: touch, and a position", async () => {
    const { stage, prepareIdleTab } = openEmulation();
    await stage.prepare?.(recordTab().tab, attemptOf(order({ mobile: true })), never);
    await stage.prepare?.(recordTab().tab, attemptOf({ country: "DE", proxyCountry: "DE" }), never);
    const idle = recordTab();
    await prepareIdleTab(idle.tab);
    expect(idle.commands).toEqual([]);
  });

  test("tells a position only to those whose place the caller named", async () => {
    const positionOf = async (proxyCountry: string | undefined) => {
      const recorded = recordTab();
      await openEmulation().stage.prepare?.(recorded.tab, attemptOf({ proxyCountry }), never);
      return JSON.stringify(recorded.commands).includes("latitude");
    };
    expect(await positionOf("US")).toBe(true);
    expect(await positionOf(undefined)).toBe(false);
  });
});
