import { render } from "preact";

import { startSession } from "./client/session.ts";
import { App } from "./shell/app.tsx";

const root = document.createElement("div");
root.id = "root";
document.body.append(root);
render(<App />, root);
await startSession();
