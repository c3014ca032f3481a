/** Something that keeps data of teams. Pruning, and the deletion of a team, walk over all that there is of it. */
export interface TeamData {
  /** Deletes everything that was kept for the team. */
  erase(teamId: string): Promise<void>;
  /** Deletes what is too old or too much, in small steps between which requests run. */
  prune(): Promise<unknown>;
}
