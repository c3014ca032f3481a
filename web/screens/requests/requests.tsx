import { Page } from "../../parts/page.tsx";
export function Requests() {
  return (
    <Page title="Requests">
      <p>…</p>
    </Page>
  );
}
