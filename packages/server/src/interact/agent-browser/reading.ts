import { pageFunction } from "../page-api/page-function.ts";
import type { AgentBrowser } from "./agent-browser.ts";
import { action, answer, DONE, oneOf } from "./command.ts";

type Read = (browser: AgentBrowser, selector: string, name: string) => Promise<string>;

const FACTS: Readonly<Record<string, Read>> = {
  url: async ({ page }) => page.url(),
  title: ({ page }) => page.title(),
  text: async (browser, selector) => (await browser.element(selector || "body")).innerText(),
  html: async (browser, selector) => (await browser.element(selector || "body")).innerHTML(),
  value: async (browser, selector) => (await browser.element(selector)).inputValue(),
  attr: async (browser, selector, name) => (await (await browser.element(selector)).getAttribute(name)) ?? "",
  count: async ({ page }, selector) => String(await page.locator(selector).count()),
  box: async (browser, selector) => JSON.stringify(await (await browser.element(selector)).boundingBox()),
};

const STATES: Readonly<Record<string, (browser: AgentBrowser, selector: string) => Promise<boolean>>> = {
  visible: async (browser, selector) => (await browser.element(selector)).isVisible(),
  enabled: async (browser, selector) => (await browser.element(selector)).isEnabled(),
  checked: async (browser, selector) => (await browser.element(selector)).isChecked(),
};

/** Commands that read the page and save files of it. */
export const reading = {
  get: answer("<text|html|value|attr|title|url|count|box> [selector] [name]", 1, (browser, words) =>
    oneOf(FACTS, words[0])(browser, words[1] ?? "", words[2] ?? ""),
  ),
  is: answer("<visible|enabled|checked> <selector>", 2, async (browser, [state, selector = ""]) =>
    String(await oneOf(STATES, state)(browser, selector)),
  ),
  screenshot: answer("[path] [--full]", 0, async (browser, words) => {
    const path = words.find((word) => !word.startsWith("-")) ?? "/tmp/screenshot.png";
    const fullPage = words.includes("--full") || words.includes("-f");
    await browser.saveFile(path, await browser.page.screenshot({ fullPage }));
    return `✓ Screenshot saved to ${path}`;
  }),
  pdf: answer("<path>", 1, async (browser, [path = ""]) => {
    await browser.saveFile(path, await browser.page.pdf());
    return `✓ PDF saved to ${path}`;
  }),
  set: action("viewport <width> <height>", 3, ({ page }, [what, width, height]) => {
    const viewport = () => page.setViewportSize({ width: Number(width), height: Number(height) });
    return oneOf({ viewport }, what)();
  }),
  cookies: answer("[get | set <name> <value> | clear]", 0, cookies),
  storage: answer("<local|session> [key | set <key> <value> | clear]", 1, storage),
};

async function cookies(
  { page }: AgentBrowser,
  [what = "get", name = "", value = ""]: readonly string[],
): Promise<string> {
  const context = page.context();
  const ways = {
    get: async () => (await context.cookies()).map((one) => `${one.name}=${one.value}`).join("\n"),
    set: async () => {
      await context.addCookies([{ name, value, url: page.url() }]);
      return DONE;
    },
    clear: async () => {
      await context.clearCookies();
      return DONE;
    },
  };
  return oneOf(ways, what)();
}

async function storage(
  { page }: AgentBrowser,
  [which, what, key, value]: readonly string[],
): Promise<string> {
  const area = oneOf({ local: "localStorage", session: "sessionStorage" }, which);
  if (what === undefined) return JSON.stringify(await page.evaluate(`({ ...${area} })`), null, 2);
  if (what === "set")
    await page.evaluate(pageFunction(`([key, value]) => ${area}.setItem(key, value)`), [key, value]);
  else if (what === "clear") await page.evaluate(`${area}.clear()`);
  else return (await page.evaluate(pageFunction(`(key) => ${area}.getItem(key) ?? ""`), what)) as string;
  return DONE;
}
