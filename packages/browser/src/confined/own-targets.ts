import type { Protocol } from "devtools-protocol";

import type { CdpSession } from "../cdp/cdp-session.ts";

type TargetInfo = Pick<Protocol.Target.TargetInfo, "targetId" | "type" | "browserContextId"> &
  Partial<Pick<Protocol.Target.TargetInfo, "url">>;

/** Maximum pages. Pages open more targets than the client asked for. */
const MAX_PAGES = 32;
/** Characters. `data:` URLs have no limit of their own. */
const MAX_URL_LENGTH = 2000;

/** Targets of one browser context: its pages, frames and workers. */
export class OwnTargets {
  readonly contextId: string;
  readonly #browser: CdpSession;
  readonly #ids = new Set<string>();
  /** Page ids in the order in which the pages opened. */
  readonly #pages = new Set<string>();
  /** URLs of open pages. */
  readonly #urls = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  constructor(browser: CdpSession, contextId: string) {
    this.contextId = contextId;
    this.#browser = browser;
    browser.on("Target.targetCreated", ({ targetInfo }) => this.note(targetInfo));
    browser.on("Target.targetInfoChanged", ({ targetInfo }) => this.#recordUrl(targetInfo));
    browser.on("Target.targetDestroyed", ({ targetId }) => this.forget(targetId));
  }

  /** Starts to listen for targets. Existing targets are reported first. */
  async watch(): Promise<void> {
    await this.#browser.send("Target.setDiscoverTargets", { discover: true });
  }

  /** Ids of open pages, newest last. */
  get pages(): readonly string[] {
    return [...this.#pages];
  }

  /** URL of the newest page, which viewers see. */
  get newestUrl(): string | undefined {
    return this.#urls.get(this.pages.at(-1) ?? "");
  }

  get isFull(): boolean {
    return this.#pages.size >= MAX_PAGES;
  }

  has(targetId: string): boolean {
    return this.#ids.has(targetId);
  }

  isOwn({ browserContextId }: Pick<TargetInfo, "browserContextId">): boolean {
    return browserContextId === this.contextId;
  }

  /** Records a new target. Pages beyond the limit are closed. */
  note(target: TargetInfo): void {
    const { targetId, type } = target;
    if (!this.isOwn(target)) return;
    this.#ids.add(targetId);
    if (type !== "page" || this.#pages.has(targetId)) return;
    if (this.isFull) return this.#browser.post("Target.closeTarget", { targetId });
    this.#pages.add(targetId);
    this.#recordUrl(target);
    this.#tell();
  }

  forget(targetId: string): void {
    this.#ids.delete(targetId);
    this.#urls.delete(targetId);
    if (this.#pages.delete(targetId)) this.#tell();
  }

  /** Calls the listener whenever pages open or close. Returns a function that stops it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #recordUrl({ targetId, url }: TargetInfo): void {
    if (url !== undefined && this.#pages.has(targetId))
      this.#urls.set(targetId, url.slice(0, MAX_URL_LENGTH));
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
