import { decideLevel } from "../interact/languages/code-level.ts";
import { findOwnGroup, whyNoGroups } from "../platform/sandbox/box-groups.ts";
import { openSandbox } from "../platform/sandbox/open-sandbox.ts";
import type { DoctorSettings, Finding } from "./finding.ts";

/** How code of callers runs here. Tries every way out of a box, as the service does before the first call. */
export async function checkInteractCode({ interactCode }: DoctorSettings): Promise<Finding> {
  const level = await decideLevel(interactCode, openSandbox);
  if (level.name === "box") {
    return { status: "found", detail: `in boxes by ${level.sandbox.driver.name}, which hold` };
  }
  const { reason, remedy } = level;
  if (level.name === "off") {
    const status = interactCode === "off" ? "missing" : "problem";
    return {
      status,
      detail: `not at all: ${reason}`,
      cost: "Calls of interact with code are refused.",
      remedy,
    };
  }
  return {
    status: "missing",
    detail: `in an interpreter: ${reason}`,
    cost: "Code of callers has JavaScript and commands of agent-browser, but no Node, Python or shell.",
    remedy,
  };
}

/** What bounds the memory and the processes of boxes here. */
export async function checkBoxBounds({ interactCode }: DoctorSettings): Promise<Finding> {
  const isBoxed = interactCode === "auto" || interactCode === "box";
  if (!isBoxed || process.platform !== "linux") return { status: "found", detail: "there are no boxes" };
  const place = findOwnGroup();
  const reason = typeof place === "string" ? place : whyNoGroups(place);
  if (reason === undefined)
    return { status: "found", detail: "a group of the kernel for each box (cgroup v2)" };
  return {
    status: "missing",
    detail: `counted four times a second, because ${reason}`,
    cost: "For a quarter of a second code may take more than the 1.65 GB of its box.",
    remedy:
      "Give the service a group of its own: with systemd, `Delegate=memory pids` in its unit; in a container, a writable /sys/fs/cgroup.",
  };
}
