import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { type FullDesk, openFullDesk, type Shown } from "../../test/dashboard/full-world.ts";
import { askNumbers, followNumbers } from "../../test/dashboard/numbers.ts";
import { accessibilityProblems, type Desk, look, LOOKS, overflow, settle } from "../../test/dashboard/pages.ts";
import { benchQueries } from "../bench/dashboard/overview.ts";
import { doTasks } from "./tasks.ts";

const { values } = parseArgs({
  options: {
    into: { type: "string", default: join(tmpdir(), "pergamon-dashboard") },
    /** Part of the names of the screens; `numbers` or `tasks` alone. */
    only: { type: "string", default: "" },
    /** Instead of pictures: the processor time of each query over a million requests. */
    queries: { type: "boolean", default: false },
  },
});

if (values.queries) {
  const figures = await benchQueries();
  for (const { name, value, isMet } of figures) console.log(`${isMet ? "ok  " : "MISS"} ${value.padStart(14)}  ${name}`);
  process.exit(figures.every(({ isMet }) => isMet) ? 0 : 1);
}

mkdirSync(values.into, { recursive: true });
const isWanted = (part: string) => values.only === "" || values.only === part;
const [numbers, shown] = await withDesk(async (desk) => {
  const all = [...(await screensOf(desk)), ...desk.opened].filter(({ name }) => name.includes(values.only));
  const faults = await takePictures(desk, all);
  return [isWanted("numbers") ? [...faults, ...(await compareNumbers(desk))] : faults, all] as const;
});
// Tasks change the service, and are asked of one whose job and session have not ended by themselves.
const faults = [...numbers, ...(isWanted("tasks") ? await withDesk(doTasks) : [])];
for (const fault of faults) console.log(fault);
console.log(`${shown.length} screens, ${LOOKS.length} looks, ${faults.length} faults; pictures are in ${values.into}`);
process.exit(faults.length === 0 ? 0 : 1);

async function withDesk<Result>(work: (desk: FullDesk) => Promise<Result>): Promise<Result> {
  const desk = await openFullDesk();
  return work(desk).finally(() => desk.close());
}

/** What the side bar leads to. */
async function screensOf({ visit }: Desk): Promise<readonly Shown[]> {
  const { page } = await visit("/dashboard");
  await settle(page);
  const links = await page.getByRole("navigation", { name: "Main" }).getByRole("link").all();
  const found = await Promise.all(
    links.map(async (link) => ({
      // Some have a count below their name.
      name: (await link.innerText()).trim().split("\n", 1)[0] ?? "",
      path: (await link.getAttribute("href")) ?? "",
    })),
  );
  await page.context().close();
  // The brand leads to the overview as well.
  return found.filter(({ name }) => name !== "Pergamon");
}

/** @returns numbers that do not equal their source or lead to lists of another length. */
async function compareNumbers(desk: FullDesk): Promise<readonly string[]> {
  const { page } = await desk.visit("/dashboard");
  return [...(await askNumbers(desk, page)), ...(await followNumbers(desk, page))];
}

/** @returns what is wrong on them. */
async function takePictures({ visit }: Desk, shown: readonly Shown[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { name, path } of shown) {
    const { page, complaints } = await visit(path);
    for (const chosen of LOOKS) {
      await look(page, chosen);
      await settle(page);
      const title = `${name.toLowerCase().replaceAll(" ", "-")}-${chosen.width}-${chosen.colorScheme}`;
      await page.screenshot({ path: join(values.into, `${title}.png`), fullPage: true });
      if ((await overflow(page)) > 0) faults.push(`${title}: the page is wider than the window`);
      faults.push(...(await accessibilityProblems(page)).map((problem) => `${title}: ${problem}`));
    }
    faults.push(...complaints.map((complaint) => `${name}: ${complaint}`));
    await page.context().close();
  }
  return faults;
}
