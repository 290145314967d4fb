import { isIpv6 } from "./network.ts";

/** The ASCII characters that are allowed unescaped in a host. */
const HOST = /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\uffff]*$/;
const USER = /^[A-Za-z0-9\-_.~!$&'()*+,;=:%@]*$/;

/** A URI that Go's url.ParseRequestURI accepts: absolute, or a path that begins with a slash. */
export function isRequestUri(text: string): boolean {
  if (text === "" || /[\u0000-\u001f\u007f]/.test(text) || text.startsWith(":")) return false;
  if (text === "*") return true;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1];
  const rest = removeQuery(scheme === undefined ? text : text.slice(scheme.length + 1));
  if (!rest.startsWith("/")) return scheme !== undefined;
  if (scheme === undefined || !rest.startsWith("//")) return hasValidEscapes(rest);
  const slash = rest.indexOf("/", 2);
  const [authority, path] = slash < 0 ? [rest.slice(2), ""] : [rest.slice(2, slash), rest.slice(slash)];
  return isAuthority(authority, scheme.toLowerCase()) && hasValidEscapes(path);
}

function removeQuery(text: string): string {
  const mark = text.indexOf("?");
  return mark < 0 ? text : text.slice(0, mark);
}

/** Is every percent sign followed by two hexadecimal digits? */
function hasValidEscapes(text: string): boolean {
  return !/%(?![0-9A-Fa-f]{2})/.test(text);
}

function isAuthority(authority: string, scheme: string): boolean {
  const sign = authority.lastIndexOf("@");
  if (!isHost(authority.slice(sign + 1), scheme)) return false;
  const user = authority.slice(0, Math.max(sign, 0));
  return USER.test(user) && user.split(/:(.*)/s).every(hasValidEscapes);
}

function isHost(host: string, scheme: string): boolean {
  const open = host.lastIndexOf("[");
  if (open > 0) return false;
  if (open === 0) return isBracketedHost(host);
  const colon = host.indexOf(":");
  // Schemes other than http and https may have several colons, because databases list several hosts.
  const port = scheme === "http" || scheme === "https" ? colon : host.lastIndexOf(":");
  return isPort(colon < 0 ? "" : host.slice(port)) && isHostText(host);
}

function isPort(text: string): boolean {
  return /^(?::\d*)?$/.test(text);
}

/** In a host only bytes beyond ASCII may be escaped, and the percent sign itself. */
function isHostText(text: string): boolean {
  return HOST.test(text) && hasValidEscapes(text) && !/%(?!25)[0-7]/.test(text);
}

/** "[fe80::1%25eth0]:80": an IPv6 address, a zone, a port. */
function isBracketedHost(host: string): boolean {
  const close = host.lastIndexOf("]");
  if (close < 0 || !isPort(host.slice(close + 1))) return false;
  const inner = host.slice(1, close);
  const mark = inner.indexOf("%25");
  if (mark < 0) return isHostText(inner) && isIpv6(inner);
  const zone = inner.slice(mark + 3);
  return isIpv6(inner.slice(0, mark)) && zone !== "" && isZone(zone);
}

/** In a zone only characters that are allowed in a host may be escaped, and spaces. */
function isZone(zone: string): boolean {
  if (!HOST.test(zone) || !hasValidEscapes(zone)) return false;
  return [...zone.matchAll(/%([0-9A-Fa-f]{2})/g)].every(([, digits]) => {
    const code = Number.parseInt(digits ?? "", 16);
    return code === 0x25 || code === 0x20 || (code < 0x80 && code !== 0x25 && HOST.test(String.fromCharCode(code)));
  });
}
