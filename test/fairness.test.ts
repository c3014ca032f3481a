import { expect, test } from "vitest";

import { KEYED, makeTeam } from "./operator.ts";
import { htmlPage } from "./site.ts";
import { useWorld } from "./use-world.ts";

const world = useWorld({ ...KEYED, SCRAPE_CONCURRENCY: "1", SCRAPE_QUEUE: "4" });

/** A page that is answered when the test says so. */
function heldPage(path: string) {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const url = world.site.page(path, (_request, response) => {
    void opened.then(() => response.end(htmlPage(`<h1>${path}</h1>`)));
  });
  return { path, url, open, isFetched: () => world.site.hits(path).length > 0 };
}

function waiting(): Promise<number> {
  return world.metric("pergamon_pages_waiting");
}

test("beside a team that floods, another one gets the next slot; what is too much is told at once", async () => {
  const flooding = await makeTeam(world);
  const quiet = await makeTeam(world, { credits: 10 });
  const flood = [0, 1, 2, 3].map((index) => heldPage(`/flood/${index}`));
  const other = heldPage("/other");
  const answers = [];
  for (const [index, { url }] of flood.entries()) {
    answers.push(flooding.scrape({ url, fastMode: true }));
    await expect.poll(waiting).toBe(index);
  }
  answers.push(quiet.scrape({ url: other.url, fastMode: true }));
  await expect.poll(waiting).toBe(4);

  // The queue is full: the newest of those who fill it has to go.
  const more = heldPage("/more");
  answers.push(quiet.scrape({ url: more.url, fastMode: true }));
  const refused = await answers[3];
  expect([refused?.status, refused?.body.code]).toEqual([503, "OVERLOADED"]);
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);

  expect(flood.map(({ isFetched }) => isFetched())).toEqual([true, false, false, false]);
  flood[0]?.open();
  await expect.poll(other.isFetched).toBe(true);
  expect(flood.map(({ isFetched }) => isFetched())).toEqual([true, false, false, false]);
  for (const { open } of [other, more, ...flood]) open();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 503, 200, 200]);
  expect(await quiet.remaining()).toBe(8);
}, 60_000);
