import { expect, test } from "vitest";

import type { RequestAnswer } from "../packages/server/src/history/operator/show-request.ts";
import { KEYED, makeTeam, operate } from "./operator.ts";
import { htmlPage } from "./site.ts";
import { useWorld } from "./use-world.ts";

const world = useWorld(KEYED);

const start = () =>
  world.site.page("/", htmlPage('<main><h1>Tiles of the north</h1><a href="/tiles">Tiles</a></main>'));

async function newest(teamId: string, kind: string) {
  const { body } = await operate(world, `GET requests?team=${teamId}&kind=${kind}&limit=1`);
  const id = String(body.data[0]?.["id"]);
  const detail = (await operate(world, `GET requests/${id}`)).body.data as unknown as RequestAnswer["data"];
  return { id, detail };
}

test.each([
  ["map", () => ({ url: start() }), (answer: string) => answer.includes("/tiles")],
  ["search", () => ({ query: "tiles north" }), (answer: string) => answer.includes('"web":[')],
] as const)("the log has what a %s asked and found, and runs it again", async (kind, bodyOf, isFound) => {
  const team = await makeTeam(world, { flags: { zeroDataRetention: "allowed" } });
  const ask = (body: object) =>
    fetch(`${world.baseUrl}/v2/${kind}`, {
      method: "POST",
      headers: { ...team.headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const sent = bodyOf();
  expect((await ask(sent)).status).toBe(200);
  const { id, detail } = await newest(team.teamId, kind);
  expect(detail).toMatchObject({ hasAnswer: true, body: sent });
  const answer = await fetch(`${world.baseUrl}/admin/api/requests/${id}/answer`, {
    headers: { authorization: "Bearer operator-key-of-the-tests" },
  });
  expect(isFound(await answer.text())).toBe(true);
  // Only the operator reads it: to the team it is no scrape.
  expect((await world.get(`/v2/scrape/${id}`, team.headers)).status).toBe(404);
  const again = await operate(world, `POST requests/${id}/replay`, {});
  expect(again.body.data).toMatchObject({ replayOf: id, status: "completed" });
  expect((await newest(team.teamId, kind)).id).not.toBe(id);
  expect((await ask({ ...sent, limit: -1 })).status).toBe(400);
});
