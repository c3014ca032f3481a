import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { unpackBlob } from "../packages/server/src/storage/stored-blob.ts";
import { KEYED, makeTeam, operate } from "./operator.ts";
import { keptBlobs, keptElsewhere } from "./shared-stores/kept-bytes.ts";
import { htmlPage } from "./site.ts";
import { useWorld } from "./use-world.ts";

const world = useWorld({ ...KEYED, PROFILE_SAVE_ON_SCRAPE: "true" });

/** Files below the data folder whose name or content tells the text. */
async function filesWith(text: string): Promise<readonly string[]> {
  await world.app.services.records.flush();
  const found: string[] = [];
  for (const { name, bytes } of await keptElsewhere(world.dataDir)) {
    const blob = await unpackBlob(bytes).catch(() => undefined);
    const readings = [Buffer.from(bytes), Buffer.from(blob?.facts ?? ""), Buffer.from(blob?.body ?? "")];
    if (readings.some((reading) => reading.includes(text))) found.push(name);
  }
  for (const entry of await readdir(world.dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
    const blob = await unpackBlob(bytes).catch(() => undefined);
    const readings = [
      Buffer.from(entry.name),
      bytes,
      Buffer.from(blob?.facts ?? ""),
      Buffer.from(blob?.body ?? ""),
    ];
    if (readings.some((reading) => reading.includes(text))) found.push(entry.name);
  }
  return found;
}

test("a deleted team leaves nothing behind but its ledger and the log of what operators did", async () => {
  const marker = `marker${Math.random().toString(36).slice(2)}`;
  const url = world.site.page(`/${marker}`, htmlPage(`<main><h1>${marker}</h1></main>`));
  const team = await makeTeam(world, { name: `${marker} team`, credits: 100 });
  const other = await makeTeam(world);
  const kept = world.site.page("/kept", htmlPage("<h1>Kept of the other team</h1>"));
  expect((await other.scrape({ url: kept })).status).toBe(200);

  const usual = await team.scrape({ url });
  const shot = await team.scrape({ url, formats: ["screenshot"] });
  const { screenshot = "" } = shot.body.data;
  expect((await fetch(screenshot)).status).toBe(200);
  await team.scrape({ url, headers: { "x-a": marker }, formats: ["html"] });
  await team.scrape({ url: `http://127.0.0.9:1/${marker}` });
  const profile = { name: marker, saveChanges: true };
  const actions = [{ type: "executeJavascript", script: `localStorage.setItem("a", "${marker}")` }];
  expect((await team.scrape({ url, profile, actions })).status).toBe(200);
  expect((await filesWith(marker)).length).toBeGreaterThan(2);

  expect((await operate(world, `DELETE teams/${team.teamId}`)).status).toBe(200);
  expect(await filesWith(marker)).toEqual([]);
  expect((await fetch(screenshot)).status).toBe(404);
  expect((await world.get(`/v2/scrape/${usual.body.data.metadata.scrapeId}`, other.headers)).status).toBe(
    404,
  );
  expect(await team.moves()).toContain("issuer → prepaid 100");

  // The page of the other team, which may wait in the database.
  expect((await keptBlobs(world.dataDir)).length).toBeLessThan(2);
  const again = await other.scrape({ url: kept });
  expect(again.body.data.metadata.cacheState).toBe("hit");
}, 120_000);
