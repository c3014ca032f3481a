import { expect, test } from "vitest";

import { KEYED } from "../../operator.ts";
import { useWorld } from "../../use-world.ts";

const world = useWorld({ ...KEYED, CORS_ORIGINS: "https://app.test" });

/** With a path of each method that they have. */
const PATHS = [
  "/v2/map",
  "/v2/crawl",
  "/v2/crawl/{id}",
  "/v2/crawl/{id}/errors",
  "/v2/crawl/active",
  "/v2/crawl/params-preview",
  "/v2/batch/scrape",
  "/v2/batch/scrape/{id}",
  "/v2/batch/scrape/{id}/errors",
  "/v2/search",
  "/v2/parse",
];

test("F-101 the interface document lists the paths of the families", async () => {
  const response = await fetch(`${world.baseUrl}/openapi.json`);
  const { paths } = (await response.json()) as { readonly paths: Readonly<Record<string, unknown>> };
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(PATHS));
});

test("F-101 a preflight allows the methods and the headers of the families", async () => {
  for (const method of ["PATCH", "DELETE", "PUT"]) {
    const { status, headers } = await fetch(`${world.baseUrl}/v2/crawl`, {
      method: "OPTIONS",
      headers: {
        origin: "https://app.test",
        "access-control-request-method": method,
        "access-control-request-headers": "authorization,content-type,x-idempotency-key",
      },
    });
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-methods")?.split(/,\s*/)).toContain(method);
    expect(headers.get("access-control-allow-headers")?.toLowerCase()).toContain("x-idempotency-key");
  }
});
