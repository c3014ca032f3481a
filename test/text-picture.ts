import sharp, { type Sharp } from "sharp";

/** A picture of black text on white, as large as a page of a letter at 100 dpi, set by sharp. */
export interface TextPicture {
  readonly width: number;
  readonly height: number;
  /** Each line, with where its baseline begins. */
  readonly lines: readonly { readonly text: string; readonly x: number; readonly y: number }[];
  readonly fontPx: number;
}

/** The picture as a sharp pipeline, to be saved in any format. */
export function drawText({ width, height, lines, fontPx }: TextPicture): Sharp {
  const texts = lines.map(
    ({ text, x, y }) =>
      `<text x="${x}" y="${y}" font-family="DejaVu Sans" font-size="${fontPx}">${text}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="white"/>${texts.join("")}</svg>`;
  return sharp(Buffer.from(svg)).flatten({ background: "white" }).toColourspace("b-w");
}

/** One byte for each pixel. */
export async function greyPixels(
  picture: Sharp,
): Promise<{ pixels: Uint8Array; width: number; height: number }> {
  const { data, info } = await picture.clone().greyscale().raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}
