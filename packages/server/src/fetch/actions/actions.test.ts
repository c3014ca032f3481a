import { expect, test } from "vitest";
import { z } from "zod";

import { ActionData } from "../../api/answer.ts";
import * as actions from "./all.ts";
import { actionNamed, type RequestedAction } from "./requested-action.ts";

const names = Object.keys(actions) as RequestedAction["type"][];

test.each(names)("%s is asked for by its name in the table", (name) => {
  const { properties } = z.toJSONSchema(actionNamed(name).options, { io: "input" });
  expect(properties?.["type"]).toMatchObject({ const: name });
});

test("every list of the answer is of one action, which says so itself", () => {
  const left = names.flatMap((name) => actionNamed(name).leaves ?? []);
  expect(left.toSorted()).toEqual(Object.keys(ActionData.shape).toSorted());
});

test("what keeps a file leaves its link", () => {
  const keeping = names.filter((name) => actionNamed(name).keepsFile);
  expect(keeping).toEqual(["pdf", "screenshot"]);
  for (const name of keeping) expect(actionNamed(name).leaves).toBeDefined();
});
