import * as programs from "../programs/screenshot.ts";
import { callInPage } from "./page-script.ts";
import type { BrowserTab } from "./tab.ts";
import { setViewport, type Viewport } from "./viewport.ts";

export interface ScreenshotOrder {
  /** Takes the whole page instead of the part in the viewport. */
  readonly fullPage: boolean;
  /** JPEG quality, 1 to 100. Undefined makes a PNG. */
  readonly quality?: number | undefined;
  /** CSS pixels; undefined keeps the current viewport. With `fullPage`, the height is ignored. */
  readonly viewport?: { readonly width: number; readonly height: number } | undefined;
}

interface Screenshot {
  readonly bytes: Uint8Array;
  readonly contentType: "image/png" | "image/jpeg";
  /** Whether the page continues below the maximum height of an image. */
  readonly isCut: boolean;
}

/** CSS pixels. Endless pages are cut here. */
const MAX_HEIGHT = 30_000;
/** Device pixels of one image, at 4 bytes each while it is made. */
const MAX_AREA = 120_000_000;
/**
 * Device pixels. Larger images are encoded for speed, which halves the time of a PNG and triples its size.
 */
const LARGE_AREA = 8_000_000;
/** Time for lazy-loaded content and fonts. */
const LAZY_LIMIT_MS = 5_000;
const FONTS_LIMIT_MS = 2_000;

/**
 * Takes an image of the page.
 * @param shown the current viewport, which is restored afterwards.
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
  if (fullPage) await callInPage(tab, programs.showAll, [MAX_HEIGHT, LAZY_LIMIT_MS], signal);
  await callInPage(tab, programs.fontsReady, [FONTS_LIMIT_MS], signal);
  const { clip, isCut = false } = fullPage ? await wholePage(tab, shown, signal) : {};
  if (clip) await callInPage(tab, programs.placeFixedOnce, [clip.height], signal);
  const { data } = await tab.session.send(
    "Page.captureScreenshot",
    {
      ...(quality === undefined ? { format: "png" } : { format: "jpeg", quality }),
      ...(clip && { clip, captureBeyondViewport: true }),
      optimizeForSpeed: clip !== undefined && clip.width * clip.height > LARGE_AREA,
    },
    { signal },
  );
  if (clip) await callInPage(tab, programs.restoreFixed, [], signal);
  return {
    bytes: Buffer.from(data, "base64"),
    contentType: quality === undefined ? "image/png" : "image/jpeg",
    isCut,
  };
}

/** Clip from the top, as wide as the viewport. */
async function wholePage(tab: BrowserTab, { width, height, scale }: Viewport, signal: AbortSignal) {
  const { cssContentSize } = await tab.session.send("Page.getLayoutMetrics", undefined, { signal });
  const affordable = Math.floor(MAX_AREA / (width * scale * scale));
  const content = Math.max(Math.ceil(cssContentSize.height), height);
  const shownHeight = Math.min(content, MAX_HEIGHT, affordable);
  return { clip: { x: 0, y: 0, width, height: shownHeight, scale: 1 }, isCut: shownHeight < content };
}
