/** Type of a block → class of its colour. Its name is on the box too. */
const COLOURS: Readonly<Record<string, string>> = {
  title: "k1",
  section_header: "k1",
  text: "k3",
  figure: "k2",
  caption: "k2",
  table: "k4",
  formula: "k4",
};

/** Class of a block's colour; further types are grey. */
export function colourOf(type: string): string {
  return COLOURS[type] ?? "k0";
}
