import type { SourcePiece } from "./replace.ts";
import { detectors } from "./detectors.ts";
import type { Readable } from "./readable.ts";
import { withoutOverlaps, type Span } from "./span.ts";

const CALLED =
  /^(?:tel|sms|callto|fax|whatsapp):(?:\/\/)?(?<number>[^?#]+)|^https?:\/\/(?:wa\.me|api\.whatsapp\.com\/send\/?\?phone=)\/?(?<chat>\+?\d{7,15})/i;

/** Personal data in the addresses of links. What is left of an address is still one. */
export function cutsInAddresses({ addresses }: Readable, source: string): readonly SourcePiece[] {
  return addresses.flatMap(({ start, end }) => {
    const address = source.slice(start, end);
    if (address === "" || /^data:/i.test(address)) return [];
    const found = [
      ...calledNumber(address),
      ...detectors.flatMap((detector) => (detector.readsAddresses ? detector.find(address) : [])),
    ];
    return withoutOverlaps(found).map((span) => ({
      ...span,
      start: start + span.start,
      end: start + span.end,
      isText: false,
    }));
  });
}

function calledNumber(address: string): readonly Span[] {
  const groups = CALLED.exec(address)?.groups;
  const number = groups?.["number"] ?? groups?.["chat"];
  if (number === undefined) return [];
  const start = address.indexOf(number);
  return [{ start, end: start + number.length, entity: "PHONE" }];
}
