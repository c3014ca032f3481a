/** How a program ended: its exit code, or the signal that killed it; and its output when that was collected. */
interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

export function runChild(
  command: readonly [string, ...string[]],
  options: {
    readonly cwd: string;
    readonly capture?: boolean;
    readonly shell?: boolean;
    readonly env?: NodeJS.ProcessEnv;
    readonly detached?: boolean;
    readonly prepare?: () => Promise<void>;
  },
): Promise<Ended>;

export function endLike(ended: Ended): void;
