/** One image of a `srcset`. */
export interface Candidate {
  readonly url: string;
  /** Width in pixels, from a `w` descriptor. */
  readonly width: number | undefined;
  /** Pixels per CSS pixel, from an `x` descriptor; 1 when there is no descriptor. */
  readonly density: number;
}

/** Parses the images of a `srcset` by the rules of the HTML standard: commas may be part of a URL. */
export function parseSrcset(srcset: string): readonly Candidate[] {
  const candidates: Candidate[] = [];
  const token = /[\s,]*(\S+)/uy;
  const descriptors = /[^,]*/uy;
  for (let match = token.exec(srcset); match !== null; match = token.exec(srcset)) {
    const raw = match[1] ?? "";
    const url = raw.replace(/,$/u, "");
    let descriptor = "";
    if (url === raw) {
      descriptors.lastIndex = token.lastIndex;
      descriptor = descriptors.exec(srcset)?.[0] ?? "";
      token.lastIndex = descriptors.lastIndex;
    }
    if (url !== "") candidates.push({ url, ...readDescriptor(descriptor) });
  }
  return candidates;
}

/** The largest image: by width when any width is given, else by density. The first of equals wins. */
export function largestCandidate(candidates: readonly Candidate[]): Candidate | undefined {
  const sized = candidates.filter((candidate) => candidate.width !== undefined);
  let largest: Candidate | undefined;
  for (const candidate of sized.length > 0 ? sized : candidates) {
    if (largest === undefined || sizeOf(candidate) > sizeOf(largest)) largest = candidate;
  }
  return largest;
}

function sizeOf(candidate: Candidate): number {
  return candidate.width ?? candidate.density;
}

function readDescriptor(descriptor: string): Pick<Candidate, "width" | "density"> {
  const width = /(?:^|\s)(\d{1,9})w(?:\s|$)/u.exec(descriptor)?.[1];
  const density = /(?:^|\s)(\d{0,9}(?:\.\d{1,9})?)x(?:\s|$)/u.exec(descriptor)?.[1];
  return { width: width === undefined ? undefined : Number(width), density: Number(density ?? 1) };
}
