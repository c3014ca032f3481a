import type { Viewport } from "@pergamon-dev/browser/tab/viewport";
import type { BrowserOrder } from "./visit.ts";

const DESKTOP: Viewport = { width: 1920, height: 1080, scale: 1, isMobile: false };
const PHONE: Viewport = { width: 390, height: 844, scale: 3, isMobile: true };

/** The screen that a page is shown on: a requested size is that of the screenshot, too (contract, section 1.7). */
export function viewportOf({ mobile, screenshot }: BrowserOrder): Viewport {
  return { ...(mobile ? PHONE : DESKTOP), ...screenshot?.viewport };
}
