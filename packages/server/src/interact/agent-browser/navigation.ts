import type { AgentBrowser } from "./agent-browser.ts";
import { action, answer, oneOf, valueOf } from "./command.ts";

const LOAD_STATES = {
  load: "load",
  domcontentloaded: "domcontentloaded",
  networkidle: "networkidle",
} as const;

const open = answer("<url>", 1, async ({ page }, [url = ""]) => {
  await page.goto(/^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `https://${url}`);
  return `✓ ${await page.title()}\n  ${page.url()}`;
});

/** Commands that navigate, wait, run scripts and switch tabs. */
export const navigation = {
  open,
  goto: open,
  navigate: open,
  back: action("", 0, ({ page }) => page.goBack()),
  forward: action("", 0, ({ page }) => page.goForward()),
  reload: action("", 0, ({ page }) => page.reload()),
  snapshot: answer("[-i] [-c] [-d <depth>] [-s <selector>]", 0, (browser, words) => {
    const depth = valueOf(words, "-d", "--depth");
    return browser.snapshot({
      onlyInteractive: words.includes("-i") || words.includes("--interactive"),
      isCompact: words.includes("-c") || words.includes("--compact"),
      maxDepth: depth === undefined ? undefined : Number(depth),
      scope: valueOf(words, "-s", "--selector"),
    });
  }),
  eval: answer("<script>", 1, async ({ page }, words) => {
    const value = await page.evaluate(words.join(" "));
    return value === undefined ? "undefined" : JSON.stringify(value, null, 2);
  }),
  wait: action("<selector | ms> | --text <text> | --url <pattern> | --load <state> | --fn <script>", 1, wait),
  tab: answer("[new [url] | close [n] | <n>]", 0, tab),
};

async function wait(browser: AgentBrowser, [first = "", second = ""]: readonly string[]): Promise<unknown> {
  const { page } = browser;
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    "--text": () => page.getByText(second).first().waitFor(),
    "--url": () => page.waitForURL(second),
    "--load": () => page.waitForLoadState(oneOf(LOAD_STATES, second)),
    "--fn": () => page.waitForFunction(second),
  };
  if (first.startsWith("--")) return oneOf(ways, first)();
  if (/^\d+$/.test(first)) return page.waitForTimeout(Number(first));
  if (first.startsWith("@")) return browser.element(first);
  return page.locator(first).first().waitFor();
}

async function tab(browser: AgentBrowser, [first, second]: readonly string[]): Promise<string> {
  const context = browser.page.context();
  const pageAt = (number: string | undefined) => {
    const page = number === undefined ? browser.page : context.pages()[Number(number) - 1];
    if (!page) throw new Error(`Tab ${number} does not exist.`);
    return page;
  };
  if (first === "new") {
    browser.use(await context.newPage());
    if (second !== undefined) return open.run(browser, [second]);
  } else if (first === "close") {
    await pageAt(second).close();
    browser.use(context.pages().at(-1) ?? (await context.newPage()));
  } else if (first !== undefined && first !== "list") {
    await pageAt(first).bringToFront();
    browser.use(pageAt(first));
  }
  return listTabs(browser);
}

async function listTabs(browser: AgentBrowser): Promise<string> {
  const inFront = browser.page;
  const lines = inFront
    .context()
    .pages()
    .map(async (page, index) => {
      const mark = page === inFront ? "→" : " ";
      return `${mark} [${index + 1}] ${await page.title()} - ${page.url()}`;
    });
  return (await Promise.all(lines)).join("\n");
}
