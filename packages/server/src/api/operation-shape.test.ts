import { expect, test } from "vitest";
import { z } from "zod";
import { defineShape } from "./operation-shape.ts";

test("the schemas of a shape are made when they are first asked for, and once", () => {
  let made = 0;
  const make = () => z.literal((made += 1));
  const shape = defineShape("Shape", make, 1, make);
  expect(made).toBe(0);
  expect([shape.schema.parse(1), shape.schema.parse(1), shape.documented?.parse(2), made]).toEqual([
    1, 1, 2, 2,
  ]);
});
