import type { CdpConnection } from "@pergamon-dev/browser/cdp/cdp-connection";
import type { AutomationContext } from "./automation-page.ts";
import { ConfinedPage } from "./confined-page.ts";
import { type AttachableBrowser, connectTo } from "./page-connection.ts";
import { PageRealm } from "./page-realm.ts";
import { waitUntilFound } from "./wait-options.ts";

const ATTACH_LIMIT_MS = 10_000;

export class SessionContext implements AutomationContext {
  readonly #connection: CdpConnection;
  readonly #pages = new Map<string, ConfinedPage>();

  static async open(browser: AttachableBrowser): Promise<SessionContext> {
    const context = new SessionContext(connectTo(browser));
    await context.#watch();
    return context;
  }

  private constructor(connection: CdpConnection) {
    this.#connection = connection;
  }

  get isLost(): boolean {
    return this.#connection.isLost;
  }

  pages(): ConfinedPage[] {
    return [...this.#pages.values()];
  }

  async newPage(): Promise<ConfinedPage> {
    const { targetId } = await this.#connection.browser.send("Target.createTarget", { url: "about:blank" });
    return waitUntilFound("the new page", ATTACH_LIMIT_MS, async () => this.#pages.get(targetId));
  }

  async closePage({ targetId }: ConfinedPage): Promise<void> {
    await this.#connection.browser.send("Target.closeTarget", { targetId });
    this.#pages.delete(targetId);
  }

  async cookies() {
    return (await this.#connection.browser.send("Storage.getCookies", {})).cookies;
  }

  async addCookies(cookies: { name: string; value: string; url?: string; domain?: string; path?: string }[]) {
    await this.#connection.browser.send("Storage.setCookies", { cookies });
  }

  async clearCookies(): Promise<void> {
    await this.#connection.browser.send("Storage.clearCookies", {});
  }

  close(): void {
    this.#connection.close();
  }

  /** Attaches to all pages of the session, including later ones. */
  async #watch(): Promise<void> {
    const { browser } = this.#connection;
    browser.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
      const session = this.#connection.session(sessionId);
      session.post("Runtime.runIfWaitingForDebugger");
      if (targetInfo.type !== "page") return;
      const page = new ConfinedPage(this, new PageRealm(session), targetInfo.targetId);
      this.#pages.set(targetInfo.targetId, page);
      session.whenFailed(() => this.#pages.delete(targetInfo.targetId));
    });
    await browser.send("Target.setAutoAttach", {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
    });
    await waitUntilFound("a page", ATTACH_LIMIT_MS, async () => this.pages()[0]);
    await Promise.all(this.pages().map((page) => page.recordUrl()));
  }
}
