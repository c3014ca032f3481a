/**
 * What screens have in common. The build imports it everywhere, so that all of this becomes one file: without it a
 * screen would ask for a dozen small ones, each with what just these screens share.
 */
import "preact-iso";

import "./client/live.ts";
import "./client/load.ts";
import "./client/names.ts";
import "./client/session.ts";
import "./forms/json-editor.tsx";
import "./format/foreign.ts";
import "./format/numbers.ts";
import "./format/times.ts";
import "./parts/badge.tsx";
import "./parts/copy.tsx";
import "./parts/debounced.ts";
import "./parts/dialog.tsx";
import "./parts/icon.tsx";
import "./parts/names.tsx";
import "./parts/page.tsx";
import "./parts/request-marks.tsx";
import "./parts/search-bar.tsx";
import "./parts/states.tsx";
import "./parts/switch.tsx";
import "./parts/tabs.tsx";
import "./parts/team-choice.tsx";
import "./parts/toasts.tsx";
import "./parts/words.tsx";
