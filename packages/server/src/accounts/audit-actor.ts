import { AsyncLocalStorage } from "node:async_hooks";

import type { AuditEvent, AuditLog } from "./audit.ts";

/** What an operator does, while it is done. */
interface Action {
  readonly by: string;
  /** Kinds of the events that were written meanwhile. */
  readonly written: Set<string>;
  /** What the work itself tells of it. */
  facts: ChangeFacts;
  /** What still runs then is not the operator's. */
  isOver: boolean;
}

/** Whom a change belongs to, what held before, and other details. */
type ChangeFacts = Readonly<Record<string, unknown>> & Partial<Pick<AuditEvent, "teamId" | "keyId">>;

const actions = new AsyncLocalStorage<Action>();
let running = 0;

interface Actor {
  readonly by: string;
  /** Event about the work as a whole. Undefined for work that only reads. */
  readonly event?: AuditEvent | undefined;
  readonly audit?: Pick<AuditLog, "write"> | undefined;
}

/**
 * Runs work for an operator. Audit events that are written meanwhile name the operator. The event about the whole follows
 * unless the work has written one of its kind, which says more.
 */
export async function actingAs<Result>(
  { by, event, audit }: Actor,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const action: Action = { by, written: new Set(), facts: {}, isOver: false };
  running += 1;
  try {
    return await actions.run(action, async () => {
      const result = await work();
      if (event && !action.written.has(event.kind)) {
        const { teamId = event.teamId, keyId = event.keyId, ...facts } = action.facts;
        await audit?.write({ kind: event.kind, teamId, keyId, details: { ...event.details, ...facts } });
      }
      return result;
    });
  } finally {
    action.isOver = true;
    running -= 1;
    // Until Node 24, a storage that was used once makes every promise of the process cost more.
    if (running === 0) actions.disable();
  }
}

/** Adds to the event about the present work of an operator. */
export function tellOfChange(facts: ChangeFacts): void {
  const action = presentAction();
  if (action) action.facts = { ...action.facts, ...facts };
}

/** Undefined for work that no operator asked for. @param kind of the event that is written for it. */
export function presentActor(kind?: string): string | undefined {
  const action = presentAction();
  if (kind !== undefined) action?.written.add(kind);
  return action?.by;
}

function presentAction(): Action | undefined {
  const action = actions.getStore();
  return action?.isOver ? undefined : action;
}
