import { isRequestUri } from "../../openapi/index.ts";
import { type UrlValue, type CelValue, buildList, type MapValue } from "./value.ts";

/** A URL as Go's url.ParseRequestURI and then url.Parse parse it; undefined if either rejects it. */
export function parseUrl(text: string): UrlValue | undefined {
  if (!isRequestUri(text)) return undefined;
  const hash = text.indexOf("#");
  const plain = hash < 0 ? text : text.slice(0, hash);
  if (hash >= 0 && (!isRequestUri(plain === "" ? "/" : plain) || /%(?![0-9A-Fa-f]{2})/.test(text.slice(hash + 1))))
    return undefined;
  const [, written, rest = ""] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(.*)$/s.exec(plain) ?? [];
  const mark = rest.indexOf("?");
  const [body, query] = mark < 0 ? [rest, ""] : [rest.slice(0, mark), rest.slice(mark + 1)];
  const scheme = (written ?? "").toLowerCase();
  if (scheme !== "" && !body.startsWith("/")) return { kind: "url", text, scheme, host: "", path: "", query };
  const hasAuthority = body.startsWith("//") && (scheme !== "" || !body.startsWith("///"));
  const slash = hasAuthority ? body.indexOf("/", 2) : 0;
  const authority = hasAuthority ? body.slice(2, slash < 0 ? undefined : slash) : "";
  const path = hasAuthority ? (slash < 0 ? "" : body.slice(slash)) : body;
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  return { kind: "url", text, scheme, host: decodePercent(host, false) ?? host, path: escapePath(path), query };
}

/** Without brackets and port. */
export function getHostname({ host }: UrlValue): string {
  const close = host.lastIndexOf("]");
  if (host.startsWith("[") && close > 0) return host.slice(1, close);
  const colon = host.lastIndexOf(":");
  return colon < 0 || !/^\d*$/.test(host.slice(colon + 1)) ? host : host.slice(0, colon);
}

export function getPort({ host }: UrlValue): string {
  return /:(\d*)$/.exec(host.slice(host.lastIndexOf("]") + 1))?.[1] ?? "";
}

const PATH = /^[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]/%]*$/;

/** The text as written if that is a valid encoding, else encoded again. */
function escapePath(path: string): string {
  if (path === "*" || PATH.test(path)) return path;
  const plain = decodePercent(path, false) ?? path;
  return [...new TextEncoder().encode(plain)].map(escapeByte).join("");
}

function escapeByte(byte: number): string {
  const text = String.fromCharCode(byte);
  if (byte < 0x80 && /[A-Za-z0-9\-_.~$&+,/:;=@]/.test(text)) return text;
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

/** Undefined if a percent sign is not followed by two digits or the bytes are not UTF-8. */
function decodePercent(text: string, plusIsSpace: boolean): string | undefined {
  const plain = plusIsSpace ? text.replaceAll("+", " ") : text;
  if (!plain.includes("%")) return plain;
  try {
    return decodeURIComponent(plain).toWellFormed();
  } catch {
    return undefined;
  }
}

/** Values by name; what can't be decoded, or holds a semicolon, is left out. */
export function parseQuery({ query }: UrlValue): MapValue {
  const entries = new Map<string, CelValue[]>();
  for (const part of query.split("&")) {
    if (part === "" || part.includes(";")) continue;
    const sign = part.indexOf("=");
    const name = decodePercent(sign < 0 ? part : part.slice(0, sign), true);
    const value = decodePercent(sign < 0 ? "" : part.slice(sign + 1), true);
    if (name === undefined || value === undefined) continue;
    const values = entries.get(name);
    if (values) values.push(value);
    else entries.set(name, [value]);
  }
  return { kind: "map", entries: new Map([...entries].map(([name, list]) => [`s${name}`, [name, buildList(list)]])) };
}

/** The text by which two URLs are compared. */
export function buildComparableUrl({ text, scheme }: UrlValue): string {
  return scheme === "" ? text : scheme + text.slice(scheme.length);
}
