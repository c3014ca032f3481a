import { beforeAll, describe, expect, test } from "vitest";

import { htmlPage } from "../site.ts";
import { openVisitorSite, type Shown } from "../visitor-page.ts";
import { openWorld, type World } from "../world.ts";

let world: World;

beforeAll(async () => {
  world = await openWorld({ EGRESS_ALLOW: "127.0.0.1,127.0.0.2" });
});

const script = (code: string) => ({ type: "executeJavascript", script: code });

/** What the contexts and requests of one visit showed. */
async function look(options: object) {
  const site = await openVisitorSite();
  try {
    const actions = [{ type: "wait", selector: "#told" }];
    const { body } = await world.scrape({ url: site.url, maxAge: 0, actions, ...options });
    expect(body.error).toBeUndefined();
    return { contexts: site.contexts(), requests: site.requests() };
  } finally {
    await site.close();
  }
}

/** Client hints of a request, as its headers name them. */
function hinted({ brands, mobile, hintedPlatform }: Shown) {
  const list = brands as readonly { readonly brand: string; readonly version: string }[];
  return {
    "sec-ch-ua": list.map(({ brand, version }) => `"${brand}";v="${version}"`).join(", "),
    "sec-ch-ua-mobile": mobile === true ? "?1" : "?0",
    "sec-ch-ua-platform": `"${String(hintedPlatform)}"`,
  };
}

describe("one visit shows one visitor", () => {
  test.each([
    ["of a computer", {}],
    ["of a phone", { mobile: true }],
    ["in Germany", { location: { country: "DE" } }],
  ])("%s, to the page, its frames and workers, and to the server", async (_name, options) => {
    const { contexts, requests } = await look(options);
    const { page = {}, ...others } = contexts;
    expect(page["userAgent"]).toMatch(/Chrome\/\d+\.0\.0\.0 (?:Mobile )?Safari/);
    const names = ["foreignFrame", "frame", "nestedWorker", "serviceWorker", "sharedWorker", "worker"];
    expect(others).toEqual(Object.fromEntries(names.map((name) => [name, page])));
    expect(Object.keys(requests)).toHaveLength(6);
    for (const shown of Object.values(requests)) {
      const { "accept-language": languages = "", "user-agent": agent, ...hints } = shown;
      expect(agent).toBe(page["userAgent"]);
      expect(Object.keys(hints).length === 0 ? hinted(page) : hints).toEqual(hinted(page));
      expect(languages).not.toBe("");
    }
    for (const path of ["/visitor", "/frame", "/worker.js", "/shared.js"])
      expect(String(requests[path]?.["accept-language"]).replace(/;q=[\d.]+/g, "")).toBe(page["languages"]);
  });

  test("which is the browser that runs: version and system are its own", async () => {
    const { contexts } = await look({});
    const { userAgent, platform, uaFullVersion, fullVersionList } = contexts["page"] ?? {};
    const [major] = String(uaFullVersion).split(".");
    expect(userAgent).toContain(`Chrome/${major}.0.0.0`);
    expect(fullVersionList).toContainEqual({ brand: "Chromium", version: uaFullVersion });
    const system = { darwin: "MacIntel", win32: "Win32" }[process.platform as string] ?? "Linux x86_64";
    expect(platform).toBe(system);
  });
});

describe("a window", () => {
  const WINDOW = `({
    pointers: ["(pointer: fine)", "(hover: hover)"].filter((query) => matchMedia(query).matches),
    frame: outerHeight - innerHeight, screen: screen.height - innerHeight,
    notifications: Notification.permission,
    mayAsk: (await navigator.permissions.query({ name: "notifications" })).state,
  })`;

  test("has a mouse, a frame, and one answer about notifications", async () => {
    const url = world.site.page("/window", htmlPage("<p>Words</p>"));
    const { body } = await world.scrape({ url, maxAge: 0, actions: [script(WINDOW)] });
    const shown = body.data.actions?.javascriptReturns[0]?.value as Shown;
    const { notifications, mayAsk, ...rest } = shown;
    expect(rest).toEqual({ pointers: ["(pointer: fine)", "(hover: hover)"], frame: 120, screen: 120 });
    expect(mayAsk).toBe(notifications === "default" ? "prompt" : notifications);
  });

  test("of a phone is upright, has its size everywhere, and no mouse", async () => {
    const viewport = `<meta name="viewport" content="width=device-width">`;
    const url = world.site.page("/phone", htmlPage("<p>Words</p>", viewport));
    const code = `({ orientation: screen.orientation.type, size: [innerWidth, innerHeight], screen: [screen.width, screen.height],
      coarse: matchMedia("(pointer: coarse)").matches, hover: matchMedia("(hover: hover)").matches })`;
    const { body } = await world.scrape({ url, mobile: true, maxAge: 0, actions: [script(code)] });
    expect(body.data.actions?.javascriptReturns[0]?.value).toEqual({
      orientation: "portrait-primary",
      size: [412, 915],
      screen: [412, 915],
      coarse: true,
      hover: false,
    });
  });
});
