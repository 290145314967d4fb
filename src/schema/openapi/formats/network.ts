/** Four numbers up to 255, with leading zeros if the API server tolerates them. */
function isIpv4Address(text: string, leadingZeros: boolean): boolean {
  const parts = text.split(".");
  const number = leadingZeros ? /^0*\d{1,3}$/ : /^(?:0|[1-9]\d{0,2})$/;
  return parts.length === 4 && parts.every((part) => number.test(part) && Number(part) <= 255);
}

/** Groups of hexadecimal digits, "::" at most once for one group or more, an IPv4 address in the place of the last two. */
function isIpv6Address(text: string, leadingZeros: boolean): boolean {
  const last = text.slice(text.lastIndexOf(":") + 1);
  const groupsOnly = last.includes(".") ? `${text.slice(0, -last.length)}0:0` : text;
  if (last.includes(".") && !isIpv4Address(last, leadingZeros)) return false;
  const halves = groupsOnly.split("::");
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const group = leadingZeros ? /^0*[0-9a-f]{1,4}$/i : /^[0-9a-f]{1,4}$/i;
  if (halves.length > 2 || !groups.every((part) => group.test(part))) return false;
  return halves.length === 2 ? groups.length < 8 : groups.length === 8;
}

/** An IPv4 address, or an IPv6 address that ends in one. */
export function isIpv4(text: string): boolean {
  return text.includes(".") && (isIpv4Address(text, true) || (text.includes(":") && isIpv6Address(text, true)));
}

export function isIpv6(text: string): boolean {
  return text.includes(":") && isIpv6Address(text, false);
}

export function isIp(text: string): boolean {
  return isIpv4Address(text, false) || isIpv6(text);
}

/** An address of either family and the length of a prefix; host bits may be set. */
export function isCidr(text: string): boolean {
  const slash = text.indexOf("/");
  const address = text.slice(0, slash);
  const prefix = text.slice(slash + 1);
  if (slash < 0 || !/^0*\d{1,3}$/.test(prefix)) return false;
  if (isIpv4Address(address, true)) return Number(prefix) <= 32;
  return address.includes(":") && isIpv6Address(address, true) && Number(prefix) <= 128;
}

const MAC = /^(?:[0-9a-f]{2}(?::[0-9a-f]{2})+|[0-9a-f]{2}(?:-[0-9a-f]{2})+|[0-9a-f]{4}(?:\.[0-9a-f]{4})+|[0-9a-f]+)$/i;
const MAC_DIGITS = [12, 16, 40];

/** 6, 8 or 20 bytes, with colons, dashes, dots or nothing between them. */
export function isMac(text: string): boolean {
  return text.length <= 60 && MAC.test(text) && MAC_DIGITS.includes(text.replaceAll(/[^0-9a-f]/gi, "").length);
}
