import type { WebSocket } from "ws";

/** Maximum over all connections of a team. */
const MAX_TEAM_BYTES = 64 * 1024 * 1024;

/**
 * Counts the bytes that the connections of each team were sent and have not received yet. They stay in memory
 * until then.
 */
export class UnsentBytes {
  readonly #sockets = new Map<string, Set<WebSocket>>();

  add(teamId: string, socket: WebSocket): void {
    const own = this.#sockets.get(teamId) ?? new Set();
    this.#sockets.set(teamId, own.add(socket));
    socket.once("close", () => {
      own.delete(socket);
      if (own.size === 0 && this.#sockets.get(teamId) === own) this.#sockets.delete(teamId);
    });
  }

  /**
   * Ends the connections that hold the most, until the rest of the team's fits. A single connection may keep
   * its bytes.
   */
  makeRoom(teamId: string): void {
    const holding = [...(this.#sockets.get(teamId) ?? [])].filter(
      ({ readyState, OPEN, bufferedAmount }) => readyState === OPEN && bufferedAmount > 0,
    );
    let total = holding.reduce((sum, { bufferedAmount }) => sum + bufferedAmount, 0);
    if (total <= MAX_TEAM_BYTES) return;
    const byUnsent = holding.toSorted((one, other) => other.bufferedAmount - one.bufferedAmount);
    for (const socket of byUnsent.slice(0, -1)) {
      if (total <= MAX_TEAM_BYTES) return;
      total -= socket.bufferedAmount;
      socket.terminate();
    }
  }
}
