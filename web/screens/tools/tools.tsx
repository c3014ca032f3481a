import { Page } from "../../parts/page.tsx";
export function Tools() {
  return (
    <Page title="Tools">
      <p>…</p>
    </Page>
  );
}
