import { expect, test } from "vitest";

import { lostSentences } from "../../../test/marked-pages.ts";

const PAGES = 2000;

test("two thousand pages that mark their content lose none of its sentences", () => {
  const lost = Array.from({ length: PAGES }, (_, page) => lostSentences(page + 1)).flat();
  expect(lost).toEqual([]);
});
