import { type Json, type JsonObject, at, listAt, objectAt, textAt } from "../../../model/json.ts";
import { isDns1035Label, isDns1123Subdomain, type Place, enter, refuse } from "../../openapi/index.ts";
import { holdsCertificate } from "./certificates.ts";
import type { Options } from "./options.ts";

const REVIEW_VERSIONS = ["v1", "v1beta1"];
const WEBHOOK_ONLY = "is only allowed if the strategy is Webhook";

export function hasKnownReviewVersion(definition: JsonObject): boolean {
  const versions = listAt(definition, "spec", "conversion", "webhook", "conversionReviewVersions");
  return versions.length === 0 || versions.some(isReviewVersion);
}

function isReviewVersion(version: Json): boolean {
  return typeof version === "string" && REVIEW_VERSIONS.includes(version);
}

/** How objects are converted between versions. */
export function requireConversion(definition: JsonObject, tolerates: Options["tolerates"], root: Place): void {
  const conversion = at(definition, "spec", "conversion") ?? undefined;
  if (conversion === undefined) return;
  const place = enter(root, "spec.conversion");
  const strategy = textAt(conversion, "strategy") ?? "";
  if (strategy !== "None" && strategy !== "Webhook") refuse(place, ".strategy", "must be None or Webhook");
  if (strategy !== "None" && at(definition, "spec", "preserveUnknownFields") === true) {
    refuse(place, ".strategy", "must be None if unknown fields are preserved");
  }
  const webhook = objectAt(conversion, "webhook");
  if (strategy === "Webhook") return requireWebhook(webhook, tolerates, enter(place, ".webhook"));
  if ((at(webhook, "clientConfig") ?? undefined) !== undefined) refuse(place, ".webhook.clientConfig", WEBHOOK_ONLY);
  if (listAt(webhook, "conversionReviewVersions").length === 0) return;
  refuse(place, ".webhook.conversionReviewVersions", WEBHOOK_ONLY);
}

function requireWebhook(webhook: JsonObject, tolerates: Options["tolerates"], place: Place): void {
  requireClient(at(webhook, "clientConfig") ?? undefined, tolerates.caBundle, enter(place, ".clientConfig"));
  const versionsPlace = enter(place, ".conversionReviewVersions");
  const versions = listAt(webhook, "conversionReviewVersions");
  if (versions.length === 0) return refuse(versionsPlace, "", "is required");
  for (const [i, version] of versions.entries()) {
    if (versions.indexOf(version) < i) refuse(versionsPlace, `[${i}]`, "is given twice");
    else if (!isDns1035Label(typeof version === "string" ? version : ""))
      refuse(versionsPlace, `[${i}]`, "must be a DNS label that begins with a letter");
  }
  if (!tolerates.reviewVersions && !versions.some(isReviewVersion)) {
    refuse(versionsPlace, "", `must have one of ${REVIEW_VERSIONS.join(", ")}`);
  }
}

function requireClient(client: Json | undefined, toleratesBundle: boolean, place: Place): void {
  if (client === undefined) return refuse(place, "", "is required if the strategy is Webhook");
  const url = textAt(client, "url");
  const service = at(client, "service") ?? undefined;
  if ((url === undefined) === (service === undefined)) refuse(place, "", "must have either url or service");
  else if (service !== undefined) requireService(objectAt(service), enter(place, ".service"));
  else if (!/^https:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/i.test(url ?? ""))
    refuse(place, ".url", "must be https:// and a host, with a path at most");
  const bundle = textAt(client, "caBundle") ?? "";
  if (!toleratesBundle && bundle !== "" && !holdsCertificate(bundle)) {
    refuse(place, ".caBundle", "must hold a certificate in PEM form");
  }
}

function requireService(service: JsonObject, place: Place): void {
  for (const field of ["name", "namespace"]) {
    if ((textAt(service, field) ?? "") === "") refuse(place, `.${field}`, "is required");
  }
  const port = at(service, "port") ?? 443;
  if (typeof port === "number" && (port < 1 || port > 65_535)) refuse(place, ".port", "must be between 1 and 65535");
  const path = textAt(service, "path") ?? "";
  if (path === "" || path === "/") return;
  const steps = path.replace(/^\//, "").replace(/\/$/, "").split("/");
  if (!path.startsWith("/") || !steps.every(isDns1123Subdomain)) {
    refuse(place, ".path", "must be DNS subdomains with a slash before each");
  }
}
