import { Page } from "../../parts/page.tsx";
export function Teams() {
  return (
    <Page title="Teams">
      <p>…</p>
    </Page>
  );
}
