import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { Firecrawl } from "firecrawl";
import { expect, test } from "vitest";

import { htmlPage } from "../site.ts";
import { firstRun } from "./first-run.ts";
import { OPENING_MS, openDesk, settle } from "./pages.ts";

test(
  "the link that a first start prints leads to a first scrape with its screenshot",
  async () => {
    expect((await firstRun()).width).toBeGreaterThan(300);
  },
  OPENING_MS,
);

test(
  "a new key lets the official client in, its scrape is found in the log and replayed, until the key is revoked",
  async () => {
    const desk = await openDesk();
    try {
      const { site, baseUrl } = desk.world;
      const price = (euros: number) => htmlPage(`<h1>Linen apron</h1><p>Price: ${euros} euros.</p>`);
      const url = site.page("/apron", price(39));
      const { page, complaints } = await desk.visit("/dashboard/keys");
      await settle(page);
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByLabel("Name", { exact: true }).fill("import");
      await page.getByRole("button", { name: "Create key" }).click();
      const apiKey = (await page.locator(".secret code").first().textContent()) ?? "";
      const client = new Firecrawl({ apiUrl: baseUrl, apiKey });
      expect((await client.scrape(url)).markdown).toContain("39 euros");
      await page.getByRole("button", { name: "I have copied it" }).click();

      site.page("/apron", price(34));
      await page.getByRole("link", { name: "Requests" }).first().click();
      await page.getByRole("link", { name: url.replace("http://", "") }).click();
      await page.getByRole("button", { name: "Replay", exact: true }).click();
      const differences = page.getByRole("region", { name: "Markdown differences" });
      await differences.waitFor();
      expect(await differences.innerText()).toMatch(/39 euros\.[^]*34 euros\./);

      await page.getByRole("link", { name: "Keys", exact: true }).click();
      await page.getByRole("button", { name: "Revoke import" }).click();
      await page.getByRole("button", { name: "Revoke", exact: true }).click();
      await page.getByRole("row", { name: "import" }).getByText("revoked").waitFor();
      await expect(client.scrape(url)).rejects.toMatchObject({ status: 401 });
      expect(complaints).toEqual([]);
    } finally {
      await desk.close();
    }
  },
  OPENING_MS,
);

test(
  "a part that is broken is told with its remedy, and is in order as soon as it is mended and looked at again",
  async () => {
    const proxy = createServer();
    await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
    const { port } = proxy.address() as AddressInfo;
    await new Promise((done) => proxy.close(done));
    const unwell = await openDesk({ PROXIES: `[{"url":"http://127.0.0.1:${port}"}]` });
    try {
      const { page, complaints } = await unwell.visit("/dashboard");
      await settle(page);
      // The same count in the same words: of the whole service, and over the list.
      const toFix = page.getByText("1 to fix", { exact: true });
      await toFix.nth(1).waitFor();
      const line = page.locator(".checks > li", { hasText: `127.0.0.1:${port}` });
      expect(await line.locator(".remedy").innerText()).toMatch(/proxy|PROXIES/);
      await new Promise<void>((done) => proxy.listen(port, "127.0.0.1", done));
      await page.getByRole("button", { name: "Look again" }).click();
      await toFix.first().waitFor({ state: "detached" });
      expect(complaints).toEqual([]);
    } finally {
      proxy.close();
      await unwell.close();
    }
  },
  OPENING_MS,
);
