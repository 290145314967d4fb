import { RE2JS } from "re2js";

const MARK = "a-zA-Z0-9\\p{S}\\p{L}";
const LABEL = `[${MARK}](?:[-${MARK}]{0,61}[${MARK}])?`;
const HOSTNAME = `^(?:[${MARK}](?:-?[${MARK}]{0,62})?|(?:${LABEL}\\.)+[a-zA-Z\\p{L}]{2,63})$`;

/** Compiled when first used: classes of all scripts take some 20 ms, and few schemas have host names. */
let hostname: RE2JS | undefined;

export function countBytes(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** Letters and symbols of any script are allowed; the last part of a name with dots must be letters only. */
export function isHostname(text: string): boolean {
  if (text.length > 255 || countBytes(text) > 255) return false;
  hostname ??= RE2JS.compile(HOSTNAME);
  return hostname.test(text) && text.split(".").every((label) => countBytes(label) <= 63);
}

const LOWER = /^[a-z0-9-]+$/;

function isLowerLabel(text: string): boolean {
  return LOWER.test(text) && !text.startsWith("-") && !text.endsWith("-");
}

/** A DNS label in lower case. */
export function isDns1123Label(text: string): boolean {
  return text.length <= 63 && isLowerLabel(text);
}

/** DNS labels in lower case with dots between them. */
export function isDns1123Subdomain(text: string): boolean {
  return text.length <= 253 && text.split(".").every(isLowerLabel);
}

/** A DNS label that begins with a letter, as required of a kind in lower case. */
export function isDns1035Label(text: string): boolean {
  return isDns1123Label(text) && /^[a-z]/.test(text);
}

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?$/;

export function isLabelValue(text: string): boolean {
  return text === "" || (text.length <= 63 && NAME.test(text));
}

/** A name, or a DNS subdomain, a slash and a name. */
export function isQualifiedName(text: string): boolean {
  const parts = text.split("/");
  const [prefix, name] = parts.length === 1 ? [undefined, parts[0]] : parts;
  if (parts.length > 2 || name === undefined || name.length > 63 || !NAME.test(name)) return false;
  return prefix === undefined || isDns1123Subdomain(prefix);
}
