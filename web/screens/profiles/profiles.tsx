import { Page } from "../../parts/page.tsx";
export function Profiles() {
  return (
    <Page title="Profiles">
      <p>…</p>
    </Page>
  );
}
