import { AsyncLocalStorage } from "node:async_hooks";

const actors = new AsyncLocalStorage<string>();

/** Does work in the name of an actor, whom entries of the audit log name meanwhile. */
export function actingAs<Result>(name: string, work: () => Result): Result {
  return actors.run(name, work);
}

/** In whose name this is done; undefined for work that no operator asked for. */
export function presentActor(): string | undefined {
  return actors.getStore();
}
