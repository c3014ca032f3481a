/** True for an IPv4 or IPv6 address without brackets and without a zone. */
export function isIpAddress(text: string): boolean {
  return IPV4.test(text) || isIpv6(text);
}

/** True for an IP address or a CIDR block. */
export function isAddressOrBlock(text: string): boolean {
  const [address = "", length, ...rest] = text.split("/");
  if (!isIpAddress(address) || rest.length > 0) return false;
  if (length === undefined) return true;
  return /^\d{1,3}$/.test(length) && Number(length) <= (isIpv6(address) ? 128 : 32);
}

const BYTE = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = new RegExp(`^(?:${BYTE}\\.){3}${BYTE}$`);
/** Groups of digits, optionally ending with an IPv4 address. The URL parser checks the rest. */
const IPV6_CHARACTERS = /^[\da-f:]+(?:\d+\.\d+\.\d+\.\d+)?$/i;

function isIpv6(text: string): boolean {
  return text.includes(":") && IPV6_CHARACTERS.test(text) && URL.canParse(`http://[${text}]`);
}
