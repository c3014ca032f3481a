import { Page } from "../../parts/page.tsx";
export function Cache() {
  return (
    <Page title="Cache">
      <p>…</p>
    </Page>
  );
}
