import type { Viewport } from "@pergamon-dev/browser/tab/viewport";
import type { BrowserOrder } from "./visit.ts";

const DESKTOP: Viewport = { width: 1920, height: 1080, scale: 1, isMobile: false };
/** Of a Pixel 8. */
const PHONE: Viewport = { width: 412, height: 915, scale: 2.625, isMobile: true };

/** Viewport of the page. A requested size also applies to the screenshot (contract, section 1.7). */
export function viewportOf({ mobile, screenshot }: BrowserOrder): Viewport {
  return { ...(mobile ? PHONE : DESKTOP), ...screenshot?.viewport };
}
