import { applyTheme, chosenTheme } from "../shell/theme-choice.ts";

// Before anything is drawn, so that the page never flashes in the other colours.
applyTheme(chosenTheme());
