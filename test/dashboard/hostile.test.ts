import { expect, test } from "vitest";

import { makeTeam } from "../operator.ts";
import { openSite } from "../site.ts";
import { OPENING_MS, openDesk, overflow } from "./pages.ts";
import { scraped, sharedScreens } from "./screens.ts";

/** What a page does that wants to reach the operator. */
function hostilePage(url: string): string {
  const script = `fetch("${url}script");alert(1)`;
  return `<meta http-equiv="refresh" content="600;url=${url}refresh"><base href="${url}base/">
    <link rel="stylesheet" href="${url}style.css"><h1>Hostile</h1><script>${script}</script>
    <img src="${url}picture" onerror='${script}'><svg onload='${script}'><use href="${url}use#x"></use></svg>
    <iframe src="${url}frame"></iframe><p style="background:url(${url}background)">Text</p>
    <form action="${url}form"><button>Send</button></form><a href="javascript:${script}">Link</a>`;
}

test(
  "HTML as a page is a frame that can do nothing",
  async () => {
    const [desk, trap] = await Promise.all([openDesk(), openSite()]);
    const team = await makeTeam(desk.world);
    const url = desk.world.site.page("/hostile", hostilePage(trap.url("/")));
    const { body } = await team.scrape({ url, formats: ["html"], onlyMainContent: false });
    // The scrape itself may ask for what the page names.
    const before = trap.connections();
    const { page, complaints } = await desk.visit(`/dashboard/response?id=${body.data.metadata.scrapeId}`);
    await page.getByRole("tab", { name: "HTML", exact: true }).click();
    await page.getByRole("button", { name: "Rendered, without scripts and images" }).click();
    await page.frameLocator("iframe.frame").locator("h1").waitFor();
    expect(await page.locator("iframe.frame").getAttribute("sandbox")).toBe("");
    expect(trap.connections()).toBe(before);
    // What the policy of the frame refused is told in the console: that is it at work.
    const others = complaints.filter(
      (complaint) => !/Content Security Policy|sandboxed|Blocked script|Unsafe attempt/.test(complaint),
    );
    expect(others.filter((complaint) => !complaint.startsWith(`request: ${trap.url("/")}`))).toEqual([]);
    await Promise.all([desk.close(), trap.close()]);
  },
  OPENING_MS,
);

test("a line of ten megabytes is shown in part, and the page can still be used", async () => {
  const screens = await sharedScreens();
  const { page, complaints } = await screens.visit("/dashboard/playground?url=https%3A%2F%2Flong.test", {
    "POST /v2/scrape": scraped({ markdown: "long".repeat(2_500_000) }),
  });
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("The rest is too long to be rendered here.").waitFor();
  expect(await overflow(page)).toBe(0);
  await page.getByRole("button", { name: "Source" }).click();
  await page.getByText("9,800,000 characters more").waitFor();
  expect(await overflow(page)).toBe(0);
  expect(complaints).toEqual([]);
});
