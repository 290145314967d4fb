import {
  isBase64,
  isCreditCard,
  isHexColor,
  isIsbn10,
  isIsbn13,
  isObjectId,
  isRgbColor,
  isSsn,
  isUuid,
} from "./format-codes.ts";
import { isEmail } from "./format-email.ts";
import { isHostname, isLongName, isShortName } from "./format-names.ts";
import { isCidr, isIpv4, isIpv6, isMac } from "./format-net.ts";
import { isDate, isDateTime, isDuration } from "./format-times.ts";
import { isRequestUri } from "./format-uri.ts";
import type { FormatCheck, JsonType } from "./node.ts";

/**
 * The formats of strings that a kube-apiserver checks (apiextensions-apiserver's list of supported formats), dashes left out of their
 * names as it does. Every other format is ignored: "ip" for one.
 */
const OF_STRINGS: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ["bsonobjectid", isObjectId],
  ["byte", isBase64],
  ["cidr", isCidr],
  ["creditcard", isCreditCard],
  ["date", isDate],
  ["datetime", isDateTime],
  ["duration", isDuration],
  ["email", isEmail],
  ["hexcolor", isHexColor],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["mac", isMac],
  ["password", () => true],
  ["rgbcolor", isRgbColor],
  ["ssn", isSsn],
  ["uri", isRequestUri],
  ["uuid", (text) => isUuid(text)],
  ["uuid3", (text) => isUuid(text, "3")],
  ["uuid4", (text) => isUuid(text, "4")],
  ["uuid5", (text) => isUuid(text, "5")],
]);

/** Checked from Kubernetes 1.34 on. */
const OF_STRINGS_1_34: ReadonlyMap<string, FormatCheck> = new Map([
  ["k8sshortname", isShortName],
  ["k8slongname", isLongName],
]);

export type Format = { readonly name: string; readonly check: FormatCheck | undefined };
const NONE: Format = { name: "", check: undefined };

/** What a format means for these types under a Kubernetes 1.`minor`; none where the API server ignores it. */
export function formatOf(name: string, types: readonly JsonType[], minor: number): Format {
  const type = types.length === 1 ? types[0] : undefined;
  if (type === "integer") return name === "int32" || name === "int64" ? { name, check: undefined } : NONE;
  if (type === "number") return name === "float" || name === "double" ? { name, check: undefined } : NONE;
  if (type !== undefined && type !== "string") return NONE;
  const plain = name.replaceAll("-", "");
  const check = OF_STRINGS.get(plain) ?? (minor >= 34 ? OF_STRINGS_1_34.get(plain) : undefined);
  return check === undefined ? NONE : { name, check };
}
