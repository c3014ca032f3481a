import { AsyncLocalStorage } from "node:async_hooks";

const actors = new AsyncLocalStorage<string>();

/** Runs work for an actor. Audit entries that are written meanwhile name the actor. */
export function actingAs<Result>(name: string, work: () => Result): Result {
  return actors.run(name, work);
}

/** Undefined for work that no operator asked for. */
export function presentActor(): string | undefined {
  return actors.getStore();
}
