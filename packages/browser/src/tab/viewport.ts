import type { BrowserTab } from "./tab.ts";

export interface Viewport {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel. */
  readonly scale: number;
  /** A phone: the page's viewport tag counts, and scroll bars overlay the page. */
  readonly isMobile: boolean;
}

/** Height of tabs, address and edge of a window, in CSS pixels. */
const FRAME_HEIGHT = 120;

export async function setViewport(tab: BrowserTab, viewport: Viewport, signal: AbortSignal): Promise<void> {
  const { width, height, scale, isMobile } = viewport;
  await tab.session.send(
    "Emulation.setDeviceMetricsOverride",
    {
      width,
      height,
      deviceScaleFactor: scale,
      mobile: isMobile,
      screenWidth: width,
      screenHeight: isMobile ? height : height + FRAME_HEIGHT,
      positionY: isMobile ? 0 : FRAME_HEIGHT,
      ...(isMobile && { screenOrientation: { type: "portraitPrimary", angle: 0 } }),
    },
    { signal },
  );
}
