import { render } from "preact";

import type { ServiceDocument } from "./document.ts";
import { Reader } from "./reader.tsx";

const root = document.createElement("div");
root.id = "root";
document.body.append(root);
try {
  const response = await fetch("/openapi.json");
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  render(<Reader document={(await response.json()) as ServiceDocument} />, root);
} catch (failure) {
  render(
    <main class="failed">
      <div role="alert">
        <h1>The reference could not be loaded.</h1>
        <p class="help">{String(failure)} Reload the page.</p>
      </div>
    </main>,
    root,
  );
}
