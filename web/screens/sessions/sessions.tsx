import { Page } from "../../parts/page.tsx";
export function Sessions() {
  return (
    <Page title="Sessions">
      <p>…</p>
    </Page>
  );
}
