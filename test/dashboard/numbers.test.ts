import { expect, test } from "vitest";

import { openFullDesk } from "./full-world.ts";
import { askNumbers, followNumbers, QUESTIONS } from "./numbers.ts";
import { OPENING_MS } from "./pages.ts";

const SCREENS = new Set(["", "/requests", "/usage", "/teams"]);

test(
  "figures of requests and credits equal the log and the ledger, and lead to lists of their length",
  async () => {
    const desk = await openFullDesk(2);
    try {
      const { page, complaints } = await desk.visit("/dashboard");
      const questions = QUESTIONS.filter(({ path }) => SCREENS.has(path));
      expect(await askNumbers(desk, page, questions)).toEqual([]);
      expect(await followNumbers(desk, page, ["", "/usage?by=team"])).toEqual([]);
      await page.goto(`${desk.world.baseUrl}/dashboard/tools`);
      await page
        .getByRole("row", { name: /shop\.broken/ })
        .getByText("failed")
        .waitFor();
      expect(complaints).toEqual([]);
    } finally {
      await desk.close();
    }
  },
  3 * OPENING_MS,
);
