import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { AutomationContext, AutomationPage } from "./automation-page.ts";
import { ConfinedHandle } from "./confined-element.ts";
import { ConfinedLocator, type SoughtText } from "./confined-locator.ts";
import { Keyboard, Mouse } from "./keys-and-mouse.ts";
import type { PageScript } from "./page-function.ts";
import type { PageRealm } from "./page-realm.ts";
import { waitLimitOf, type WaitOptions, waitUntilFound } from "./wait-options.ts";

/** Values of `document.readyState` that count as loaded. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  commit: ["loading", "interactive", "complete"],
  domcontentloaded: ["interactive", "complete"],
  load: ["complete"],
  networkidle: ["complete"],
};

interface LoadOptions extends WaitOptions {
  readonly waitUntil?: string;
}

/** Methods of the session that a page needs. */
interface PageContext extends AutomationContext {
  closePage(page: ConfinedPage): Promise<void>;
}

export class ConfinedPage implements AutomationPage {
  readonly keyboard: Keyboard;
  readonly mouse: Mouse;
  readonly targetId: string;
  readonly #realm: PageRealm;
  readonly #context: PageContext;
  #url = "about:blank";

  constructor(context: PageContext, realm: PageRealm, targetId: string) {
    this.#context = context;
    this.#realm = realm;
    this.targetId = targetId;
    this.keyboard = new Keyboard(realm);
    this.mouse = new Mouse(realm);
  }

  context(): PageContext {
    return this.#context;
  }

  /** URL at the last time that the page was asked. */
  url(): string {
    return this.#url;
  }

  async recordUrl(): Promise<void> {
    this.#url = String(await this.#realm.evaluate("location.href").catch(() => this.#url));
  }

  async goto(url: string, options?: LoadOptions): Promise<null> {
    const { errorText } = await this.#realm.session.send("Page.navigate", { url });
    if (errorText) throw new Error(`${errorText} at ${url}`);
    await this.#loaded(options);
    return null;
  }

  async reload(options?: LoadOptions): Promise<null> {
    return this.#leave(() => this.#realm.session.send("Page.reload", {}), options);
  }

  goBack = (options?: LoadOptions) => this.#travel(-1, options);
  goForward = (options?: LoadOptions) => this.#travel(1, options);

  async waitForNavigation(options?: LoadOptions): Promise<null> {
    return this.#leave(async () => undefined, options);
  }

  async waitForLoadState(state = "load", options?: WaitOptions): Promise<void> {
    await this.#loaded({ ...options, waitUntil: state });
  }

  async waitForURL(url: SoughtText, options?: LoadOptions): Promise<void> {
    const thread = new ForeignThread();
    try {
      await waitUntilFound(`the URL ${String(url)}`, waitLimitOf(options), async () => {
        await this.recordUrl();
        if (typeof url === "string") return matchesGlob(url, this.#url) || undefined;
        return (await thread.matches(url, this.#url)) || undefined;
      });
    } finally {
      await thread.close();
    }
    await this.#loaded(options);
  }

  async waitForFunction(script: PageScript, argument?: unknown, options?: WaitOptions): Promise<unknown> {
    return waitUntilFound("the function", waitLimitOf(options), async () => {
      const value = await this.#realm.evaluate(script, argument);
      return value ? value : undefined;
    });
  }

  async waitForSelector(selector: string, options?: WaitOptions & { readonly state?: string }) {
    await this.locator(selector).first().waitFor(options);
    return options?.state === "hidden" || options?.state === "detached" ? null : this.$(selector);
  }

  async waitForTimeout(delayMs: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, delayMs).unref());
  }

  title = async () => String(await this.#realm.evaluate("document.title"));
  content = async () =>
    String(
      await this.#realm.evaluate(
        "new XMLSerializer().serializeToString(document.doctype ?? document.createComment('')).replace('<!---->', '') + document.documentElement.outerHTML",
      ),
    );

  async setContent(html: string, options?: LoadOptions): Promise<void> {
    const write = `document.open(); document.write(${JSON.stringify(html)}); document.close();`;
    await this.#realm.evaluate(write);
    await this.#loaded(options);
  }

  evaluate(script: PageScript, argument?: unknown): Promise<unknown> {
    return this.#realm.evaluate(script, argument);
  }

  async evaluateHandle(script: PageScript, argument?: unknown): Promise<ConfinedHandle> {
    const { objectId = "", subtype } = await this.#realm.evaluateHandle(script, argument);
    return new ConfinedHandle(this.#realm, objectId, subtype === "node");
  }

  locator = (selector: string) => this.#anything().locator(selector);
  getByRole = (...words: Parameters<ConfinedLocator["getByRole"]>) => this.#anything().getByRole(...words);
  getByText = (...words: Parameters<ConfinedLocator["getByText"]>) => this.#anything().getByText(...words);
  getByLabel = (...words: Parameters<ConfinedLocator["getByLabel"]>) => this.#anything().getByLabel(...words);
  getByPlaceholder = (...words: Parameters<ConfinedLocator["getByText"]>) =>
    this.#anything().getByPlaceholder(...words);
  getByAltText = (...words: Parameters<ConfinedLocator["getByText"]>) =>
    this.#anything().getByAltText(...words);
  getByTitle = (...words: Parameters<ConfinedLocator["getByText"]>) => this.#anything().getByTitle(...words);
  getByTestId = (text: SoughtText) => this.#anything().getByTestId(text);

  async $eval(selector: string, script: PageScript, argument?: unknown): Promise<unknown> {
    return this.locator(selector).first().evaluate(script, argument);
  }

  async $$eval(selector: string, script: PageScript, argument?: unknown): Promise<unknown> {
    return this.locator(selector).evaluateAll(script, argument);
  }

  async $(selector: string): Promise<ConfinedHandle | null> {
    const [first] = await this.$$(selector);
    return first ?? null;
  }

  async $$(selector: string): Promise<readonly ConfinedHandle[]> {
    const locator = this.locator(selector);
    const count = await locator.count();
    return Promise.all(Array.from({ length: count }, (_, index) => locator.nth(index).handle()));
  }

  async screenshot({ fullPage = false, type = "png" }: ScreenshotOptions = {}): Promise<Buffer> {
    const { data } = await this.#realm.session.send("Page.captureScreenshot", {
      format: type === "jpeg" ? "jpeg" : "png",
      captureBeyondViewport: fullPage,
      ...(fullPage && { clip: await this.#wholePage() }),
    });
    return Buffer.from(data, "base64");
  }

  async pdf(): Promise<Buffer> {
    const { data } = await this.#realm.session.send("Page.printToPDF", { printBackground: true });
    return Buffer.from(data, "base64");
  }

  async setViewportSize({
    width,
    height,
  }: {
    readonly width: number;
    readonly height: number;
  }): Promise<void> {
    const size = { width, height, deviceScaleFactor: 0, mobile: false };
    await this.#realm.session.send("Emulation.setDeviceMetricsOverride", size);
  }

  async bringToFront(): Promise<void> {
    await this.#realm.session.send("Page.bringToFront");
  }

  async close(): Promise<void> {
    await this.#context.closePage(this);
  }

  #anything(): ConfinedLocator {
    return new ConfinedLocator(this.#realm, []);
  }

  async #wholePage() {
    const { cssContentSize } = await this.#realm.session.send("Page.getLayoutMetrics");
    return { ...cssContentSize, scale: 1 };
  }

  async #travel(steps: number, options?: LoadOptions): Promise<null> {
    const { currentIndex, entries } = await this.#realm.session.send("Page.getNavigationHistory");
    const entry = entries[currentIndex + steps];
    if (!entry) return null;
    await this.#realm.session.send("Page.navigateToHistoryEntry", { entryId: entry.id });
    await waitUntilFound(`the page ${entry.url}`, waitLimitOf(options), async () => {
      await this.recordUrl();
      return this.#url === entry.url || undefined;
    });
    await this.#loaded(options);
    return null;
  }

  /** Runs an action that leads to another document, and waits for that document. */
  async #leave(act: () => Promise<unknown>, options?: LoadOptions): Promise<null> {
    const before = await this.#realm.evaluate("performance.timeOrigin");
    await act();
    await waitUntilFound("the page to change", waitLimitOf(options), async () => {
      return (await this.#realm.evaluate("performance.timeOrigin")) !== before || undefined;
    });
    await this.#loaded(options);
    return null;
  }

  async #loaded({ waitUntil = "load", ...options }: LoadOptions = {}): Promise<void> {
    const states = ownProperty(STATES, waitUntil) ?? STATES["load"] ?? [];
    await waitUntilFound(`the page to load (${waitUntil})`, waitLimitOf(options), async () => {
      return states.includes(String(await this.#realm.evaluate("document.readyState"))) || undefined;
    });
    await this.recordUrl();
  }
}

interface ScreenshotOptions {
  readonly fullPage?: boolean;
  readonly type?: string;
}

/**
 * Longer globs and globs with more stars are refused, because the work grows with the stars and the length of
 * the text.
 */
const MAX_LENGTH = 1000;
const MAX_STARS = 32;
/** Longer texts match no glob. */
const MAX_TEXT_LENGTH = 65_536;

class GlobTooLong extends Error {
  override readonly name = "GlobTooLong";
}

/**
 * Whether a glob matches a whole text: `**` matches anything, `*` anything within a part between slashes.
 * Each part of the glob visits every position of the text once, so repeated parts cause no exponential work.
 * @throws GlobTooLong
 */
export function matchesGlob(glob: string, text: string): boolean {
  const tokens = glob.split(/(\*\*?)/).filter((token) => token !== "");
  if (glob.length > MAX_LENGTH || tokens.filter(isStar).length > MAX_STARS) {
    throw new GlobTooLong(`A URL pattern can have at most ${MAX_LENGTH} characters and ${MAX_STARS} stars.`);
  }
  if (text.length > MAX_TEXT_LENGTH) return false;
  let reached = new Uint8Array(text.length + 1);
  reached[0] = 1;
  for (const token of tokens)
    reached = isStar(token) ? beyondStar(token, text, reached) : behind(token, text, reached);
  return reached[text.length] === 1;
}

function isStar(token: string): boolean {
  return token.startsWith("*");
}

/** Positions after the literal. */
function behind(literal: string, text: string, reached: Uint8Array): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(reached.length);
  for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + 1)) {
    if (reached[at] === 1) next[at + literal.length] = 1;
  }
  return next;
}

/** Positions after the star. */
function beyondStar(star: string, text: string, reached: Uint8Array): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(reached.length);
  let isOpen = false;
  for (let at = 0; at < next.length; at += 1) {
    if (star === "*" && text[at - 1] === "/") isOpen = false;
    if (reached[at] === 1) isOpen = true;
    if (isOpen) next[at] = 1;
  }
  return next;
}
