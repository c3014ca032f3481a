import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { openSecrets, SealError, type Secrets } from "../storage/secrets/secrets.ts";
import { SealedOptions } from "../jobs/sealed-options.ts";
import { type ExtractOptions, planExtract } from "./plan.ts";

const REQUEST = {
  schema: { type: "object", properties: { price: { type: "number" } } },
  prompt: "The price of the lamp",
};
const OPTIONS: Omit<ExtractOptions, "asked"> = {
  scrapeOptions: { onlyMainContent: false },
  below: [],
  query: undefined,
  limit: 10,
  ignoreSitemap: false,
  includeSubdomains: false,
  allowExternalLinks: false,
  showSources: true,
  timeout: undefined,
  threatProtection: undefined,
  origin: "api",
  integration: undefined,
};

const folder = testFolder();
let secrets: Secrets;

beforeAll(async () => {
  secrets = await openSecrets({ keys: [], keyFile: join(folder, "secret.key") });
});

test.each(["asked", "wish"])("options that were stored with the request as %j are planned", (key) => {
  const id = `run-${key}`;
  const stored = JSON.stringify({ ...OPTIONS, [key]: REQUEST });
  const sealed = Buffer.from(secrets.seal(Buffer.from(stored), `extract:${id}`)).toString("base64");
  const { options, pages } = new SealedOptions(secrets, "extract", planExtract).of({ id, options: sealed });
  expect(options.asked).toEqual(REQUEST);
  expect(options).not.toHaveProperty("wish");
  const { formats } = pages.for("https://shop.test/lamp").request;
  expect(formats).toMatchObject([{ type: "json", prompt: REQUEST.prompt }]);
});

test("options are sealed for one job, and come back as they were", () => {
  const plans = new SealedOptions(secrets, "extract", planExtract);
  const sealed = plans.seal("one", { ...OPTIONS, asked: REQUEST });
  expect(Buffer.from(sealed, "base64").toString()).not.toContain("lamp");
  expect(plans.of({ id: "one", options: sealed }).options.asked).toEqual(REQUEST);
  expect(() => plans.of({ id: "another", options: sealed })).toThrow(SealError);
});
