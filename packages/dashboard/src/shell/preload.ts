const ASSETS = "/dashboard/assets/";

/**
 * Has the browser fetch the files of the screen that the address names while it still reads those of the shell. Which
 * they are is written into the document by the build.
 */
export function fetchScreen(): void {
  const named = document.querySelector<HTMLMetaElement>('meta[name="screens"]')?.content ?? "{}";
  const screens = JSON.parse(named) as Readonly<Record<string, readonly string[]>>;
  const screen = location.pathname.split("/")[2] ?? "";
  for (const file of screens[screen === "" ? "overview" : screen] ?? []) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = ASSETS + file;
    document.head.append(link);
  }
}
