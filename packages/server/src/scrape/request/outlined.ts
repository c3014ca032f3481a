import type { OptionsPlan, Recipe } from "./options-plan.ts";

/** A plan whose answers tell where their pages lead, too. */
export function outlined<Planned extends Pick<OptionsPlan, "recipe">>(plan: Planned): Planned {
  const recipe = { ...(JSON.parse(plan.recipe) as Recipe), wantsOutline: true };
  return { ...plan, wantsOutline: true, recipe: JSON.stringify(recipe) };
}
