import type { OptionsPlan, Recipe } from "./options-plan.ts";

/** Extends a plan so that its answers include the links of their pages. */
export function outlined<Planned extends Pick<OptionsPlan, "recipe">>(plan: Planned): Planned {
  const recipe = { ...(JSON.parse(plan.recipe) as Recipe), wantsOutline: true };
  return { ...plan, wantsOutline: true, recipe: JSON.stringify(recipe) };
}
