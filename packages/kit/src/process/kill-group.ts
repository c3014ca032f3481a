/**
 * Ends the leader of a process group, and everything in the group, at once. It has no effect when nothing of
 * the group is left.
 */
export function killGroup(leader: number | undefined, signal: NodeJS.Signals = "SIGKILL"): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signal);
  } catch {
    // The group has ended already.
  }
}
