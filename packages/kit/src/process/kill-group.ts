/** Ends a process that leads a group, and everything in the group, at once; without effect when nothing of it is left. */
export function killGroup(leader: number | undefined, signal: NodeJS.Signals = "SIGKILL"): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signal);
  } catch {
    // It has ended already.
  }
}
