import { Page } from "../../parts/page.tsx";
export function Keys() {
  return (
    <Page title="Keys">
      <p>…</p>
    </Page>
  );
}
