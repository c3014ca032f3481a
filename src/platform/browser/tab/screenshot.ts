import { callInPage } from "./page-script.ts";
import type { BrowserTab } from "./tab.ts";
import { setViewport, type Viewport } from "./viewport.ts";

export interface ScreenshotOrder {
  /** The whole page instead of what the viewport shows. */
  readonly fullPage: boolean;
  /** 1 to 100: a JPEG. Undefined: a PNG. */
  readonly quality?: number | undefined;
  /** CSS pixels; undefined takes the viewport as it is. With `fullPage` the height does not count. */
  readonly viewport?: { readonly width: number; readonly height: number } | undefined;
}

export interface Screenshot {
  readonly bytes: Uint8Array;
  readonly contentType: "image/png" | "image/jpeg";
  /** Whether the page goes on below what an image can hold. */
  readonly isCut: boolean;
}

/** CSS pixels. Pages without end are cut here. */
const LARGEST_HEIGHT = 30_000;
/** Device pixels of one image: 4 bytes each while it is made. */
const LARGEST_AREA = 120_000_000;
/** Larger images are encoded faster and become larger files: halves the time of a PNG, triples its size. */
const LARGE_AREA = 8_000_000;
/** Time for what is loaded only when it is scrolled to, and for fonts. */
const LAZY_LIMIT_MS = 5_000;
const FONTS_LIMIT_MS = 2_000;

/** Scrolls to the end and back, so that what is loaded on sight is loaded. */
const SHOW_ALL = `async (largestHeight, limitMs) => {
  const start = performance.now();
  const isLate = () => performance.now() - start > limitMs;
  const frame = () => new Promise((resolve) => {
    const timer = setTimeout(resolve, 100);
    requestAnimationFrame(() => setTimeout(() => { clearTimeout(timer); resolve(); }, 0));
  });
  const root = document.scrollingElement || document.documentElement;
  const before = root.scrollTop;
  const go = (top) => root.scrollTo({ top, left: 0, behavior: "instant" });
  const end = () => Math.min(root.scrollHeight, largestHeight) - innerHeight;
  for (let top = before; top < end() && !isLate(); ) {
    top = Math.min(top + innerHeight, end());
    go(top);
    await frame();
  }
  const isLoading = () => [...document.images].some((image) => image.currentSrc && !image.complete);
  while (isLoading() && !isLate()) await new Promise((resolve) => setTimeout(resolve, 50));
  go(0);
  await frame();
}`;

const FONTS_READY = `(limitMs) => Promise.race([
  document.fonts.ready.then(() => undefined),
  new Promise((resolve) => setTimeout(resolve, limitMs)),
])`;

/**
 * Takes an image of the page.
 * @param shown the viewport that the page has, and has again afterwards.
 * @throws BrowserFailure when the tab is lost; the signal's reason once it is aborted.
 */
export async function takeScreenshot(
  tab: BrowserTab,
  order: ScreenshotOrder,
  shown: Viewport,
  signal: AbortSignal,
): Promise<Screenshot> {
  const { viewport } = order;
  const isOther = viewport && (viewport.width !== shown.width || viewport.height !== shown.height);
  if (!isOther) return capture(tab, order, shown, signal);
  await setViewport(tab, { ...shown, ...viewport }, signal);
  try {
    return await capture(tab, order, { ...shown, ...viewport }, signal);
  } finally {
    await setViewport(tab, shown, signal);
  }
}

async function capture(
  tab: BrowserTab,
  { fullPage, quality }: ScreenshotOrder,
  shown: Viewport,
  signal: AbortSignal,
): Promise<Screenshot> {
  if (fullPage) await callInPage(tab, SHOW_ALL, [LARGEST_HEIGHT, LAZY_LIMIT_MS], signal);
  await callInPage(tab, FONTS_READY, [FONTS_LIMIT_MS], signal);
  const { clip, isCut = false } = fullPage ? await wholePage(tab, shown, signal) : {};
  const { data } = await tab.session.send(
    "Page.captureScreenshot",
    {
      ...(quality === undefined ? { format: "png" } : { format: "jpeg", quality }),
      ...(clip && { clip, captureBeyondViewport: true }),
      optimizeForSpeed: clip !== undefined && clip.width * clip.height > LARGE_AREA,
    },
    { signal },
  );
  return {
    bytes: Buffer.from(data, "base64"),
    contentType: quality === undefined ? "image/png" : "image/jpeg",
    isCut,
  };
}

/** From the top, as wide as the viewport. */
async function wholePage(tab: BrowserTab, { width, height, scale }: Viewport, signal: AbortSignal) {
  const { cssContentSize } = await tab.session.send("Page.getLayoutMetrics", undefined, { signal });
  const affordable = Math.floor(LARGEST_AREA / (width * scale * scale));
  const content = Math.max(Math.ceil(cssContentSize.height), height);
  const shownHeight = Math.min(content, LARGEST_HEIGHT, affordable);
  return { clip: { x: 0, y: 0, width, height: shownHeight, scale: 1 }, isCut: shownHeight < content };
}
