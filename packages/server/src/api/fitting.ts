/** Maximum size of the entries in one page of a list (contract of the families, section 1.3). */
export const MAX_PAGE_BYTES = 10 * 1024 * 1024;

/** Number of first entries that fit in one page: at least one, if there is one. */
export function fitting(sized: readonly { readonly sizeBytes: number }[]): number {
  let bytes = 0;
  const end = sized.findIndex(({ sizeBytes }, index) => {
    bytes += sizeBytes;
    return index > 0 && bytes > MAX_PAGE_BYTES;
  });
  return end < 0 ? sized.length : end;
}
