import { expect, test } from "vitest";

import { openSecretMask } from "./secret-mask.ts";

const SECRET = 'p4ss+wo"rd/of us';
const mask = openSecretMask(["other-secret", SECRET]);

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

test.each([
  ["as it is", SECRET],
  ["as a value of an address", encodeURIComponent(SECRET)],
  ["in an address within an address", encodeURIComponent(encodeURIComponent(SECRET))],
  ["as browsers encode forms", new URLSearchParams({ a: SECRET }).toString().slice(2)],
  ["with small hexadecimal digits", encodeURIComponent(SECRET).toLowerCase()],
  ["as JSON within a text", JSON.stringify(SECRET).slice(1, -1)],
  ["as JSON within JSON", JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
])("a secret is masked %s", (_how, text) => {
  expect(mask.text(`before ${text} after`)).toBe("before *** after");
});

test.each(["", "u", "us", "user:", "user", "longer:"])(
  "a secret is masked in the base64 of it after %j",
  (before) => {
    const shown = Buffer.from(mask.text(base64(`${before}${SECRET}!`)).replace("***", ""), "base64").toString(
      "latin1",
    );
    expect(shown).not.toContain(SECRET.slice(1, 4));
    expect(mask.text(base64(`${before}${SECRET}`))).toContain("***");
    expect(mask.text(Buffer.from(`${before}${SECRET}`).toString("base64url"))).toContain("***");
    expect(mask.text(encodeURIComponent(base64(`${before}${SECRET}`)))).toContain("***");
  },
);

test("with the end of the base64 that the secret ends with, its padding goes too", () => {
  expect(mask.text(`Basic ${base64("other-secret")} `)).toBe("Basic *** ");
  expect(mask.text(`Basic ${base64(SECRET)} `)).toBe("Basic *** ");
});

test("names and texts of data are masked at any depth, and nothing else is touched", () => {
  const data = {
    next: `/list?key=${encodeURIComponent(SECRET)}`,
    "other-secret": [{ a: ["b", "other-secret"] }],
    n: 1,
  };
  expect(mask.data(data)).toEqual({ next: "/list?key=***", "***": [{ a: ["b", "***"] }], n: 1 });
  const harmless = { a: [1, null, true, "secret"] };
  expect(mask.data(harmless)).toBe(harmless);
  expect(mask.data(undefined)).toBeUndefined();
});

test("short secrets are not looked for", () => {
  expect(openSecretMask(["a", "12345"]).text("a 12345")).toBe("a 12345");
});
