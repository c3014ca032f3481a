/** What is of a nation or a continent; English writes it like the names of places. */
const DEMONYM =
  /^(?:African|American|Argentine(?:an|ian)?|Asian|Australian|Austrian|Belgian|Brazilian|British|Canadian|Catalan|Chilean|Chinese|Colombian|Croatian|Cuban|Czech|Danish|Dutch|Egyptian|English|European|Filipino|Finnish|French|German|Greek|Hungarian|Indian|Indonesian|Iranian|Iraqi|Irish|Israeli|Italian|Jamaican|Japanese|Jewish|Kenyan|Korean|Lebanese|Malaysian|Mexican|Moroccan|Nigerian|Norwegian|Pakistani|Palestinian|Persian|Peruvian|Polish|Portuguese|Romanian|Russian|Saudi|Scottish|Serbian|Soviet|Spanish|Swedish|Swiss|Syrian|Thai|Turkish|Ukrainian|Vietnamese|Welsh)s?$/;

/** Whether a name is nothing but that. */
export function isDemonym(name: string): boolean {
  return DEMONYM.test(name);
}
