import { expect, test } from "vitest";

import { judgeLabelledPages } from "./judged.ts";

test("labelled pages are judged as well as promised", () => {
  const { blocked, real, apart } = judgeLabelledPages();
  expect(blocked).toBeGreaterThanOrEqual(0.97);
  expect(real).toBeGreaterThanOrEqual(0.97);
  expect(apart).toBeGreaterThanOrEqual(0.85);
});
