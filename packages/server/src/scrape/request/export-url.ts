/** A host whose pages only show documents, and where those can be had. */
interface DocumentHost {
  readonly host: string;
  /** With the document's id as its first group. */
  readonly path: RegExp;
  readonly exportUrl: (id: string) => string;
}

/** Ids are never as short as the `e` of published pages, which are pages indeed. */
const ID = String.raw`([\w-]{10,})`;

/** One line per sort of link (contract, section 3.16a). */
const HOSTS: readonly DocumentHost[] = [
  {
    host: "docs.google.com",
    path: new RegExp(String.raw`^/document/(?:u/\d+/)?d/${ID}(?:/(?:edit|view|preview|mobilebasic)?)?$`),
    exportUrl: (id) => `https://docs.google.com/document/d/${id}/export?format=pdf`,
  },
  {
    host: "docs.google.com",
    path: new RegExp(String.raw`^/presentation/(?:u/\d+/)?d/${ID}(?:/(?:edit|view|preview|present)?)?$`),
    exportUrl: (id) => `https://docs.google.com/presentation/d/${id}/export/pdf`,
  },
  {
    host: "docs.google.com",
    path: new RegExp(String.raw`^/spreadsheets/(?:u/\d+/)?d/${ID}(?:/(?:edit|view|preview|htmlview)?)?$`),
    exportUrl: (id) => `https://docs.google.com/spreadsheets/d/${id}/export?format=xlsx`,
  },
  {
    host: "drive.google.com",
    path: new RegExp(String.raw`^/file/(?:u/\d+/)?d/${ID}(?:/(?:edit|view|preview)?)?$`),
    exportUrl: (id) => `https://drive.google.com/uc?export=download&id=${id}`,
  },
];

/** Where the document behind a link can be fetched; the link itself unless its host only shows documents. */
export function exportUrl(url: string): string {
  const { hostname, pathname } = new URL(url);
  for (const { host, path, exportUrl: exported } of HOSTS) {
    const id = hostname === host ? path.exec(pathname)?.[1] : undefined;
    if (id !== undefined) return exported(id);
  }
  return url;
}
