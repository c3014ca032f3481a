import { Page } from "../../parts/page.tsx";
export function Settings() {
  return (
    <Page title="Settings">
      <p>…</p>
    </Page>
  );
}
