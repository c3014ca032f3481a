import type { Caller } from "../accounts/callers.ts";
import { ForbiddenError } from "../api/errors.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { Action } from "../fetch/actions/action.ts";
import * as actions from "../fetch/actions/all.ts";
import type { ScrapeData } from "./answer/schema.ts";
import * as formats from "./formats/all.ts";
import type { Format } from "./formats/format.ts";

/**
 * Checks the contents of an answer rather than its request, which is not always known any more.
 * @throws ForbiddenError when the key may not ask for some of it (contract, section 3.36).
 */
export function refuseAnswer(data: Partial<ScrapeData>, { restrictions }: Caller): void {
  const { formats: allowed } = restrictions;
  if (!allowed) return;
  const open = new Set(allowed.flatMap((type) => [...fieldsOfFormat(type), ...fieldsOfAction(type)]));
  const refused = fieldsOf(data).filter((field) => !open.has(field));
  if (refused.length === 0) return;
  throw new ForbiddenError(
    `You are not allowed to access this resource. This API key is restricted to the following formats: ${allowed.join(", ")}. The scrape also contains: ${refused.join(", ")}. Use a key that allows these formats.`,
  );
}

/** Formats of an answer, and the results of its actions as `actions.` with their name. */
function fieldsOf({
  metadata: _facts,
  warning: _text,
  actions: left,
  ...made
}: Partial<ScrapeData>): readonly string[] {
  const lists = Object.entries(left ?? {}).filter(([, list]) => list.length > 0);
  return [...Object.keys(made), ...lists.map(([name]) => `actions.${name}`)];
}

function fieldsOfFormat(type: string): readonly string[] {
  return Object.keys(ownProperty<Format>(formats, type)?.answer ?? {});
}

function fieldsOfAction(type: string): readonly string[] {
  const name = ownProperty<Action>(actions, type)?.leaves;
  return name === undefined ? [] : [`actions.${name}`];
}
