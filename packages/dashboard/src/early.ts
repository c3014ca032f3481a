import { fetchScreen } from "./shell/preload.ts";
import { applyTheme, chosenTheme } from "./shell/theme-choice.ts";

// Loaded before the page is drawn, so that it never flashes in the other colours.
applyTheme(chosenTheme());
fetchScreen();
