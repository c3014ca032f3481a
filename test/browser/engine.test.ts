import { afterAll, beforeAll, expect, test } from "vitest";

import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";

let world: World;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(() => world.close());

test("waitFor brings what scripts make of the page", async () => {
  const url = world.site.page(
    "/late",
    htmlPage(`<main id="root"></main>
      <script>setTimeout(() => { root.innerHTML = "<h1>Made by a script</h1>"; }, 50)</script>`),
  );
  const { body } = await world.scrape({ url, waitFor: 300, formats: ["markdown"] });
  expect(body.data.markdown).toContain("# Made by a script");
  expect(world.site.hits("/late")).toHaveLength(1);
});
