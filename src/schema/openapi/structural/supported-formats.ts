import { hasFeature } from "../server-features.ts";
import { isBase64, isCreditCard, isIsbn10, isIsbn13, isRgbColor, isUuid } from "../formats/codes.ts";
import { isEmail } from "../formats/email.ts";
import { isHostname, isDns1123Subdomain, isDns1123Label } from "../formats/names.ts";
import { isCidr, isIpv4, isIpv6, isMac } from "../formats/network.ts";
import { isDate, isDateTime, isDuration } from "../formats/times.ts";
import { isRequestUri } from "../formats/uri.ts";
import type { FormatValidator, SchemaType } from "./structural-schema.ts";

/**
 * The string formats that a kube-apiserver validates (apiextensions-apiserver's list of supported formats), without the dashes in their
 * names, as there. Every other format is ignored, for example "ip".
 */
const STRING_FORMATS: ReadonlyMap<string, FormatValidator> = new Map<string, FormatValidator>([
  ["bsonobjectid", (text) => /^[0-9a-f]{24}$/i.test(text)],
  ["byte", isBase64],
  ["cidr", isCidr],
  ["creditcard", isCreditCard],
  ["date", isDate],
  ["datetime", isDateTime],
  ["duration", isDuration],
  ["email", isEmail],
  ["hexcolor", (text) => /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["mac", isMac],
  ["password", () => true],
  ["rgbcolor", isRgbColor],
  ["ssn", (text) => /^\d{3}[- ]\d{2}[- ]\d{4}$/.test(text)],
  ["uri", isRequestUri],
  ["uuid", (text) => isUuid(text)],
  ["uuid3", (text) => isUuid(text, "3")],
  ["uuid4", (text) => isUuid(text, "4")],
  ["uuid5", (text) => isUuid(text, "5")],
]);

const NAME_FORMATS: ReadonlyMap<string, FormatValidator> = new Map([
  ["k8sshortname", isDns1123Label],
  ["k8slongname", isDns1123Subdomain],
]);

export type StringFormat = { readonly name: string; readonly validator: FormatValidator | undefined };
const NO_FORMAT: StringFormat = { name: "", validator: undefined };

/** The format as Kubernetes 1.`minor` applies it to these types; without a validator if the API server ignores it. */
export function findFormat(name: string, types: readonly SchemaType[], minor: number): StringFormat {
  const type = types.length === 1 ? types[0] : undefined;
  if (type === "integer") return name === "int32" || name === "int64" ? { name, validator: undefined } : NO_FORMAT;
  if (type === "number") return name === "float" || name === "double" ? { name, validator: undefined } : NO_FORMAT;
  if (type !== undefined && type !== "string" && hasFeature("formatsByType", minor)) return NO_FORMAT;
  const plain = name.replaceAll("-", "");
  const validator =
    STRING_FORMATS.get(plain) ?? (hasFeature("nameFormats", minor) ? NAME_FORMATS.get(plain) : undefined);
  return validator === undefined ? NO_FORMAT : { name, validator };
}
