/**
 * How a page looks, as its browser painted it: what a brand is read from. Colours are `#RRGGBB`, with what is half
 * transparent mixed with what is behind it; sizes are CSS pixels. Lists are in the order of the document.
 */
export interface BrandEvidence {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly pageHeight: number;
  /** Of the page itself; undefined where it paints none. */
  readonly rootColor?: string;
  readonly surfaces: readonly Surface[];
  readonly texts: readonly BrandTextStyle[];
  readonly buttons: readonly ButtonStyle[];
  readonly inputs: readonly InputStyle[];
  readonly badges: readonly Weighted[];
  /** Lengths of paddings, margins and gaps that are whole pixels. */
  readonly distances: readonly Weighted<number>[];
  readonly grids: readonly { readonly columns: number; readonly gap: string }[];
  /** Widths that content is limited to; the weight is the height of what they hold. */
  readonly contentWidths: readonly Weighted[];
  readonly headerHeight?: number;
  readonly footerHeight?: number;
  /** Pictures that may be the logo. */
  readonly logos: readonly LogoCandidate[];
  readonly favicon?: string;
  readonly socialImage?: string;
  readonly siteName?: string;
}

/** Decisions of a model, which knows more than measures show. Only what is likely by these counts. */
export interface BrandDecisions {
  /** Address of the logo. */
  readonly logo?: string | undefined;
  readonly primary?: string | undefined;
}

export interface Weighted<Value = string> {
  readonly value: Value;
  readonly weight: number;
}

export interface Surface {
  readonly color: string;
  /** Square pixels, overlapped ones included. */
  readonly area: number;
  /** What it is made of: a gradient counts with its first colour. */
  readonly kind: "color" | "gradient";
  /** Whether it is behind code. */
  readonly isCode: boolean;
}

/** What the same style is used for: `prose` for paragraphs, list items and cells; `h1` to `h3` for headings. */
export type TextUse = "h1" | "h2" | "h3" | "prose" | "code" | "link" | "chrome-link" | "other";

/** Text of one look. */
export interface BrandTextStyle {
  readonly use: TextUse;
  readonly color: string;
  /** What it stands on. */
  readonly background: string;
  /** As CSS has it: families by falling preference. */
  readonly family: string;
  readonly size: string;
  readonly weight: number;
  /** In pixels; undefined where the font decides. */
  readonly lineHeight?: number;
  readonly letters: number;
}

export interface ButtonStyle {
  readonly background?: string;
  readonly textColor: string;
  readonly borderColor?: string;
  readonly borderRadius: string;
  readonly top: number;
  readonly area: number;
  readonly transitionDuration: string;
  readonly easing: string;
}

export interface InputStyle {
  readonly borderColor?: string;
  readonly borderRadius: string;
}

export interface LogoCandidate {
  /** Absolute address, or a drawing of the page as `data:` URI. */
  readonly url: string;
  readonly alt: string;
  readonly isInHeader: boolean;
  readonly linksHome: boolean;
  readonly top: number;
  readonly width: number;
}
