import type { PageReport } from "../src/readiness/readiness-policy.ts";

/** What the page looks like, and whether its document is parsed. */
export type ProbeReport = PageReport & { readonly isParsed: boolean };

interface Probe {
  /** The next report, as JSON, that differs from the one before. */
  next(): Promise<string>;
  /** Lets the page's overdue timers and two frames go by. @returns whether nothing changed. */
  confirm(withFrames: boolean): Promise<boolean>;
}

declare global {
  var probe: Probe | undefined;
}

const MARKERS =
  '[aria-busy="true"],[role="progressbar"],[class*="skeleton" i],[class*="spinner" i],[class*="loading" i],' +
  '[class*="loader" i],[class*="shimmer" i],[class*="placeholder-glow" i]';
const MAX_MARKERS = 3;
const MAX_MARKER_TEXT = 400;
const SILENT = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "svg", "IFRAME"]);
const FRAME = new Set(["NAV", "HEADER", "FOOTER", "ASIDE"]);
const MIN_PAUSE_MS = 60;
const MAX_PAUSE_MS = 1000;
/** Measuring takes a fifteenth of the time at most. */
const PAUSE_PER_COST = 15;

interface Sums {
  mainText: number;
  otherText: number;
  elements: number;
}

/**
 * Starts the probe, once per document. After the document is parsed, it measures text, structure and signs of loading
 * whenever the DOM has changed.
 */
export function startProbe(): void {
  globalThis.probe ??= openProbe();
}

function openProbe(): Probe {
  const reports = new Reports();
  const watch = new Watch(reports);
  document.addEventListener("readystatechange", watch.measure);
  watch.observe(document);
  watch.schedule();
  return {
    next: () => reports.next(),
    async confirm(withFrames) {
      const { changes } = reports;
      await new Promise((resolve) => {
        setTimeout(() => setTimeout(resolve, 0), 0);
      });
      watch.measure();
      if (reports.changes === changes && withFrames) {
        await nextFrames();
        watch.measure();
      }
      return reports.changes === changes;
    },
  };
}

/** Reports, for one reader. Only the newest is kept while no reader asks. */
class Reports {
  changes = 0;
  #last = "";
  #waiting: ((text: string) => void) | undefined;
  #queued: string | undefined;

  add(text: string): void {
    if (text === this.#last) return;
    this.#last = text;
    this.changes += 1;
    if (this.#waiting) this.#waiting(text);
    else this.#queued = text;
    this.#waiting = undefined;
  }

  next(): Promise<string> {
    const queued = this.#queued;
    this.#queued = undefined;
    if (queued !== undefined) return Promise.resolve(queued);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }
}

class Watch {
  readonly #reports: Reports;
  readonly #observed = new WeakSet<Node>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #costMs = 0;
  #ranAtMs = -1000;

  constructor(reports: Reports) {
    this.#reports = reports;
  }

  readonly schedule = (): void => {
    // Layout would be computed again with every part that arrives.
    if (this.#timer || document.readyState === "loading") return;
    const pauseMs = Math.min(Math.max(MIN_PAUSE_MS, this.#costMs * PAUSE_PER_COST), MAX_PAUSE_MS);
    const elapsedMs = performance.now() - this.#ranAtMs;
    this.#timer = setTimeout(this.measure, Math.max(0, pauseMs - elapsedMs));
  };

  readonly measure = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const startedAtMs = performance.now();
    const text = JSON.stringify(this.#report());
    this.#ranAtMs = performance.now();
    this.#costMs = this.#ranAtMs - startedAtMs;
    this.#reports.add(text);
  };

  observe(root: Node): void {
    if (this.#observed.has(root)) return;
    this.#observed.add(root);
    new MutationObserver(this.schedule).observe(root, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  }

  #report(): ProbeReport {
    const sums: Sums = { mainText: 0, otherText: 0, elements: 0 };
    if (document.body) this.#count(document.body, sums, false);
    return {
      ...sums,
      loadingMarkers: shownMarkers(),
      scripts: document.scripts.length,
      height: document.documentElement?.scrollHeight ?? 0,
      isParsed: document.readyState !== "loading",
    };
  }

  #count(root: Node, sums: Sums, isInFrame: boolean): void {
    for (let node = root.firstChild; node; node = node.nextSibling) {
      if (node instanceof Text) sums[isInFrame ? "otherText" : "mainText"] += node.data.trim().length;
      if (!(node instanceof Element) || SILENT.has(node.tagName)) continue;
      sums.elements += 1;
      const isFrame = isInFrame || FRAME.has(node.tagName);
      const shadow = node.shadowRoot;
      if (shadow) {
        this.observe(shadow);
        this.#count(shadow, sums, isFrame);
      }
      this.#count(node, sums, isFrame);
    }
  }
}

function shownMarkers(): number {
  let shown = 0;
  for (const element of document.body?.querySelectorAll(MARKERS) ?? []) {
    if (shown < MAX_MARKERS && isShown(element)) shown += 1;
  }
  return shown;
}

function isShown(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  const isShort = (element.textContent ?? "").length < MAX_MARKER_TEXT;
  return width > 0 && height > 0 && isShort && getComputedStyle(element).visibility !== "hidden";
}

function nextFrames(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 50);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
