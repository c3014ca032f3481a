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
const desk = await openFullDesk();
try {
  const all = [...(await screensOf(desk)), ...desk.opened];
  const shown = all.filter(({ name }) => name.includes(values.only));
  const faults = [...(await takePictures(desk, shown)), ...(await walk(desk))];
  for (const fault of faults) console.log(fault);
  console.log(`${shown.length} screens, ${LOOKS.length} looks, ${faults.length} faults; pictures are in ${values.into}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await desk.close();
}
process.exit();

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

/** @returns numbers that do not equal their source or lead to lists of another length, and tasks that take too many clicks. */
async function walk(desk: FullDesk): Promise<readonly string[]> {
  const { page } = await desk.visit("/dashboard");
  const isWanted = (part: string) => values.only === "" || values.only === part;
  return [
    ...(isWanted("numbers") ? [...(await askNumbers(desk, page)), ...(await followNumbers(desk, page))] : []),
    // Last, because they change the service.
    ...(isWanted("tasks") ? await doTasks(desk) : []),
  ];
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
