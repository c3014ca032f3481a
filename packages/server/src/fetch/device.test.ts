import { describe, expect, test } from "vitest";

import { viewportOf } from "./device.ts";
import { visitOf } from "./visit.suite.ts";

const { browser } = visitOf();

describe("the screen that a page is shown on", () => {
  test("is that of a desk, or of a phone", () => {
    expect(viewportOf(browser)).toEqual({ width: 1920, height: 1080, scale: 1, isMobile: false });
    expect(viewportOf({ ...browser, mobile: true })).toMatchObject({
      width: 412,
      scale: 2.625,
      isMobile: true,
    });
  });

  test("has the size that the screenshot is requested to have, and stays what it is", () => {
    const screenshot = { fullPage: false, viewport: { width: 800, height: 600 } };
    expect(viewportOf({ ...browser, mobile: true, screenshot })).toEqual({
      width: 800,
      height: 600,
      scale: 2.625,
      isMobile: true,
    });
    expect(viewportOf({ ...browser, screenshot: { fullPage: true } }).width).toBe(1920);
  });
});
