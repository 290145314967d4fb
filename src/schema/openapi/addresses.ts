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

const BEYOND_ASCII = "\u0080-\u{10ffff}";
const ATOM = new RegExp(`^[A-Za-z0-9!#$%&'*+\\-/=?^_\`{|}~.${BEYOND_ASCII}]+`, "u");
const QUOTED = new RegExp(`^"((?:[\\t !#-\\[\\]-~${BEYOND_ASCII}]|\\\\[\\t -~${BEYOND_ASCII}])*)"`, "u");
const DOMAIN_LITERAL = /^\[([^\]]*)\]/;

/** The rest of a text after its parsed beginning; undefined if the beginning doesn't match. */
type Remainder = string | undefined;

/** Longer texts are accepted without parsing. */
const MAX_LENGTH = 100_000;

/** One mail address, with or without a name, that Go's mail.ParseAddress accepts. */
export function isEmail(text: string): boolean {
  if (text.length > MAX_LENGTH) return true;
  const start = trimLeft(text);
  const rest = skipAddress(start) ?? skipNamedAddress(start) ?? skipGroup(start);
  return rest !== undefined && skipComments(rest) === "";
}

function trimLeft(text: string): string {
  return text.replace(/^[ \t]+/, "");
}

/** local@domain */
function skipAddress(text: string): Remainder {
  const start = trimLeft(text);
  const local = start.startsWith('"') ? skipQuotedText(start, true) : skipDotAtom(start);
  if (!local?.startsWith("@")) return undefined;
  const domain = trimLeft(local.slice(1));
  if (!domain.startsWith("[")) return skipDotAtom(domain);
  const literal = DOMAIN_LITERAL.exec(domain);
  return literal && isIp(literal[1] ?? "") ? domain.slice(literal[0].length) : undefined;
}

/** Name <local@domain> */
function skipNamedAddress(text: string): Remainder {
  const phrase = text.startsWith("<") ? text : skipPhrase(text);
  const start = phrase === undefined ? "" : trimLeft(phrase);
  if (!start.startsWith("<")) return undefined;
  const rest = skipAddress(start.slice(1));
  return rest?.startsWith(">") ? rest.slice(1) : undefined;
}

/** Name: local@domain; */
function skipGroup(text: string): Remainder {
  const phrase = skipPhrase(text);
  const start = phrase === undefined ? "" : trimLeft(phrase);
  if (!start.startsWith(":")) return undefined;
  const member = trimLeft(start.slice(1));
  const rest = skipAddress(member) ?? skipNamedAddress(member);
  const end = rest === undefined ? undefined : skipComments(rest);
  return end?.startsWith(";") ? end.slice(1) : undefined;
}

function skipPhrase(text: string): Remainder {
  let rest: Remainder;
  let next: Remainder = text;
  while (next !== undefined) {
    const start: Remainder = rest === undefined ? next : skipComments(next);
    if (start === undefined) return undefined;
    next = start.startsWith('"') ? skipQuotedText(start, false) : skipAtom(start);
    rest = next ?? (rest === undefined ? undefined : start);
  }
  return rest;
}

function skipAtom(text: string): Remainder {
  const atom = ATOM.exec(text)?.[0];
  return atom === undefined ? undefined : text.slice(atom.length);
}

function skipDotAtom(text: string): Remainder {
  const atom = ATOM.exec(text)?.[0];
  if (atom === undefined || atom.startsWith(".") || atom.endsWith(".") || atom.includes("..")) return undefined;
  return text.slice(atom.length);
}

function skipQuotedText(text: string, filled: boolean): Remainder {
  const match = QUOTED.exec(text);
  return match === null || (filled && match[1] === "") ? undefined : text.slice(match[0].length);
}

/** Skips spaces and comments, which are in brackets and may hold others. */
function skipComments(text: string): Remainder {
  let rest = trimLeft(text);
  while (rest.startsWith("(")) {
    const end = findCommentEnd(rest);
    if (end === undefined) return undefined;
    rest = trimLeft(rest.slice(end));
  }
  return rest;
}

function findCommentEnd(text: string): number | undefined {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\" && i + 1 < text.length) i++;
    else if (text[i] === "(") depth++;
    else if (text[i] === ")" && --depth === 0) return i + 1;
  }
  return undefined;
}
