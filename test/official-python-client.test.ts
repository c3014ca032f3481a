import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { htmlPage } from "./site.ts";
import { openWorld, type World } from "./world.ts";

const run = promisify(execFile);

/** A Python that has the official client: `python3 -m venv venv && venv/bin/pip install firecrawl-py`. */
const python = process.env["FIRECRAWL_PYTHON"] ?? "python3";
const hasClient = await run(python, ["-c", "import firecrawl"]).then(
  () => true,
  () => false,
);
if (!hasClient) {
  console.warn(
    "NOT TESTED: the official Python client is not installed here: set FIRECRAWL_PYTHON to a Python that has firecrawl-py",
  );
}

/** Asks for values with a model of pydantic, and prints what such a model reads of them. */
const WITH_MODEL = `
import json, sys
from firecrawl import Firecrawl
from pydantic import BaseModel
class Ship(BaseModel):
    ship: str
    tonnes: int
class Harbour(BaseModel):
    title: str
    ships: list[Ship]
client = Firecrawl(api_key="fc-anything", api_url=sys.argv[1])
document = client.scrape(sys.argv[2], formats=[{"type": "json", "schema": Harbour}])
print(json.dumps(Harbour.model_validate(document.json).model_dump()))
`;

/** Of one start of Python, on a slow machine. */
const TIMEOUT_MS = 120_000;

describe.runIf(hasClient)("the official Python client", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  test(
    "fills a model of pydantic, on a machine without a language model",
    async () => {
      const url = world.site.page(
        "/harbour",
        htmlPage(`<main><h1>The harbour</h1><p>The harbour of Elmstad was opened in 1874.</p>
        <table><tr><th>Ship</th><th>Tonnes</th></tr><tr><td>Anna</td><td>1200</td></tr><tr><td>Bertha</td><td>900</td></tr></table></main>`),
      );
      const { stdout } = await run(python, ["-c", WITH_MODEL, world.baseUrl, url]);
      const ships = [
        { ship: "Anna", tonnes: 1200 },
        { ship: "Bertha", tonnes: 900 },
      ];
      expect(JSON.parse(stdout)).toEqual({ title: "The harbour", ships });
    },
    TIMEOUT_MS,
  );
});
