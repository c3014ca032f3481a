import type { JSX } from "preact";

import type { Route } from "../client/ask.ts";
import { isForViewers } from "../client/rights.ts";
import { session } from "../client/session.ts";

/** Why the operator may not call this. */
export function whyForbidden(route: Route | undefined): string | undefined {
  const isFree = route === undefined || session.value?.operator.role !== "viewer" || isForViewers(route);
  return isFree ? undefined : "Your operator key may look at everything but secrets, and change nothing.";
}

type ActButtonProps = JSX.IntrinsicElements["button"] & {
  /** The operation that it leads to; undefined where none needs a right. */
  readonly route: Route | undefined;
};

/** A button that leads to an operation. Who may not do it sees it disabled, with the reason. */
export function ActButton({ route, disabled, ...rest }: ActButtonProps) {
  const refusal = whyForbidden(route);
  const own = refusal === undefined ? { disabled } : { disabled: true, title: refusal };
  return <button type="button" {...rest} {...own} />;
}
