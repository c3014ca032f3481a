import { Page } from "../../parts/page.tsx";
export function Playground() {
  return (
    <Page title="Playground">
      <p>…</p>
    </Page>
  );
}
