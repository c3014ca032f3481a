import { expect, test } from "vitest";

import { parseEgressRules } from "./egress-rules.ts";
import { openGuard } from "./guard.ts";
import { fixedResolver, never } from "../loopback.suite.ts";

function guardWith(addresses: readonly string[], allow: readonly string[] = []) {
  return openGuard({ rules: parseEgressRules(allow), resolver: fixedResolver(...addresses) });
}

test("admits a public name with all its addresses", async () => {
  const admission = await guardWith(["8.8.8.8", "2606:4700::1111"]).admit(
    new URL("http://site.test/"),
    never,
  );
  expect(admission).toEqual({ address: "8.8.8.8", family: 4, addresses: ["8.8.8.8", "2606:4700::1111"] });
});

test.each([[["8.8.8.8", "10.0.0.1"]], [["::1", "8.8.8.8"]], [["169.254.169.254"]]])(
  "refuses a name with any private address: %j",
  async (addresses) => {
    await expect(guardWith(addresses).admit(new URL("http://site.test/"), never)).rejects.toMatchObject({
      kind: "blocked",
      host: "site.test",
    });
  },
);

test("judges literals without resolving them", async () => {
  const resolver = { resolve: () => Promise.reject(new Error("must not be asked")) };
  const guard = openGuard({ rules: parseEgressRules([]), resolver });
  await expect(guard.admit(new URL("http://8.8.8.8/"), never)).resolves.toMatchObject({ address: "8.8.8.8" });
  await expect(guard.admit(new URL("http://[2606:4700::1111]/"), never)).resolves.toMatchObject({
    family: 6,
  });
  await expect(guard.admit(new URL("http://0x7f.1/"), never)).rejects.toMatchObject({ kind: "blocked" });
});

test("opens exactly what the rules allow", async () => {
  const guard = guardWith(["10.0.0.1"], ["10.0.0.1:8080", "wiki.test:443"]);
  await expect(guard.admit(new URL("http://site.test:8080/"), never)).resolves.toMatchObject({
    address: "10.0.0.1",
  });
  await expect(guard.admit(new URL("http://site.test/"), never)).rejects.toMatchObject({ kind: "blocked" });
  await expect(guard.admit(new URL("https://wiki.test/"), never)).resolves.toMatchObject({
    address: "10.0.0.1",
  });
  await expect(guard.admit(new URL("http://wiki.test/"), never)).rejects.toMatchObject({ kind: "blocked" });
});

test.each(["ftp://8.8.8.8/", "file:///etc/passwd", "data:text/html,x", "about:blank", "ws://8.8.8.8/"])(
  "refuses the scheme of %s",
  async (url) => {
    await expect(guardWith(["8.8.8.8"]).admit(new URL(url), never)).rejects.toMatchObject({
      kind: "protocol",
    });
  },
);
