import { decideLevel } from "../interact/languages/code-level.ts";
import { findOwnGroup, whyNoGroups } from "../platform/sandbox/box-groups.ts";
import { openSandbox } from "../platform/sandbox/open-sandbox.ts";
import type { DoctorSettings, Finding } from "./finding.ts";

/** How code of callers runs here. Tries every way out of a box, as the service does before the first call. */
export async function checkInteractCode({ interactCode }: DoctorSettings): Promise<Finding> {
  const level = await decideLevel(interactCode, openSandbox);
  if (level.name === "box") {
    return {
      status: "found",
      detail: `in sandboxes by ${level.sandbox.driver.name}, which passed all escape tests`,
    };
  }
  const { reason, remedy } = level;
  if (level.name === "off") {
    const status = interactCode === "off" ? "missing" : "problem";
    return {
      status,
      detail: `off: ${reason}`,
      cost: "interact calls with code are rejected.",
      remedy,
    };
  }
  return {
    status: "missing",
    detail: `in a WebAssembly interpreter: ${reason}`,
    cost: "Code of callers can use JavaScript and agent-browser commands, but not Node, Python or a shell.",
    remedy,
  };
}

/** What bounds the memory and the processes of boxes here. */
export async function checkBoxBounds({ interactCode }: DoctorSettings): Promise<Finding> {
  const isBoxed = interactCode === "auto" || interactCode === "box";
  if (!isBoxed || process.platform !== "linux")
    return { status: "found", detail: "sandboxes are unavailable" };
  const place = findOwnGroup();
  const reason = typeof place === "string" ? place : whyNoGroups(place);
  if (reason === undefined) return { status: "found", detail: "one cgroup (v2) per sandbox" };
  return {
    status: "missing",
    detail: `measured four times per second, because ${reason}`,
    cost: "For a quarter of a second, code can use more than the 1.65 GB of its sandbox.",
    remedy:
      "Give the service its own cgroup: with systemd, set `Delegate=memory pids` in its unit; in a container, make /sys/fs/cgroup writable.",
  };
}
