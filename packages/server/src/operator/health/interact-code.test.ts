import { expect, test } from "vitest";

import { decideLevel } from "../../sandbox/code-level.ts";
import { findOwnGroup, whyNoGroups } from "../../sandbox/box-groups.ts";
import { namespaces } from "../../sandbox/namespaces.ts";
import { findSandbox } from "../../sandbox/open-sandbox.ts";
import type { DoctorSettings } from "./check.ts";
import { checkBoxBounds, checkInteractCode } from "./sandboxes.ts";

const check = (interactCode: DoctorSettings["interactCode"]) =>
  checkInteractCode({ interactCode } as DoctorSettings);

test("code that runs in an interpreter is told, with what it lacks and what changes it", async () => {
  expect(await check("wasm")).toEqual({
    status: "missing",
    detail: "in a WebAssembly interpreter: INTERACT_CODE is wasm",
    cost: expect.stringContaining("not Node, Python or a shell"),
    remedy: "Set INTERACT_CODE to auto.",
  });
});

test("code that is not run at all is told", async () => {
  expect(await check("off")).toMatchObject({ status: "missing", detail: "off: INTERACT_CODE is off" });
});

test("boxes are found where they hold; that they are wanted and do not is a problem", async () => {
  const hasBoxes = typeof (await findSandbox(namespaces)) !== "string";
  const { status, detail } = await check("box");
  expect(status).toBe(hasBoxes ? "found" : "problem");
  expect(detail).toMatch(hasBoxes ? /^in sandboxes by \w+, which passed all escape tests$/ : /^off: \w+/);
});

test.each([
  ["auto", "wasm"],
  ["box", "off"],
] as const)("without a box %s means %s, with the reason", async (wanted, name) => {
  const verdict = { sandbox: undefined, reason: "bubblewrap: bwrap is not installed", remedy: "Install it." };
  expect(await decideLevel(wanted, async () => verdict)).toEqual({
    name,
    reason: verdict.reason,
    remedy: verdict.remedy,
  });
});

test("what bounds the memory of boxes is told, and what it costs where the kernel does not", async () => {
  const place = findOwnGroup();
  const hasGroups = typeof place !== "string" && whyNoGroups(place) === undefined;
  const { status, detail, remedy = "" } = await checkBoxBounds({ interactCode: "auto" } as DoctorSettings);
  expect(status).toBe(hasGroups ? "found" : "missing");
  expect(`${detail} ${remedy}`).toMatch(hasGroups ? /cgroup v2/ : /measured .*Delegate=/);
  expect((await checkBoxBounds({ interactCode: "wasm" } as DoctorSettings)).status).toBe("found");
});
