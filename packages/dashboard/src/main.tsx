import { render } from "preact";

import { startSession } from "./client/session.ts";
import { App, preloadScreen } from "./shell/app.tsx";

const root = document.createElement("div");
root.id = "root";
document.body.append(root);
preloadScreen();
const started = startSession();
render(<App />, root);
await started;
