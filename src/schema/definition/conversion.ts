import { type Json, type JsonObject, at, listAt, objectAt, textAt } from "../../model/json.ts";
import { isDns1035Label, isDns1123Subdomain } from "../formats/names.ts";
import { holdsCertificate } from "./certificates.ts";
import type { Options } from "./options.ts";
import { type DefinitionReport, refuse } from "./report.ts";

const REVIEW_VERSIONS = ["v1", "v1beta1"];
const PATH = "spec.conversion";

export function hasKnownReviewVersion(definition: JsonObject): boolean {
  const versions = listAt(definition, "spec", "conversion", "webhook", "conversionReviewVersions");
  return versions.length === 0 || versions.some(isReviewVersion);
}

function isReviewVersion(version: Json): boolean {
  return typeof version === "string" && REVIEW_VERSIONS.includes(version);
}

/** How objects are converted between versions. */
export function requireConversion(
  definition: JsonObject,
  tolerates: Options["tolerates"],
  report: DefinitionReport,
): void {
  const conversion = at(definition, "spec", "conversion") ?? undefined;
  if (conversion === undefined) return;
  const strategy = textAt(conversion, "strategy") ?? "";
  if (strategy !== "None" && strategy !== "Webhook") refuse(report, `${PATH}.strategy`, "must be None or Webhook");
  if (strategy !== "None" && at(definition, "spec", "preserveUnknownFields") === true) {
    refuse(report, `${PATH}.strategy`, "must be None if unknown fields are preserved");
  }
  if (strategy === "Webhook") return requireWebhook(objectAt(conversion, "webhook"), tolerates, report);
  if ((at(conversion, "webhook", "clientConfig") ?? undefined) !== undefined) {
    refuse(report, `${PATH}.webhook.clientConfig`, "is only allowed if the strategy is Webhook");
  }
  if (listAt(conversion, "webhook", "conversionReviewVersions").length > 0) {
    refuse(report, `${PATH}.webhook.conversionReviewVersions`, "is only allowed if the strategy is Webhook");
  }
}

function requireWebhook(webhook: JsonObject, tolerates: Options["tolerates"], report: DefinitionReport): void {
  requireClient(at(webhook, "clientConfig") ?? undefined, tolerates.caBundle, report);
  const path = `${PATH}.webhook.conversionReviewVersions`;
  const versions = listAt(webhook, "conversionReviewVersions");
  if (versions.length === 0) return refuse(report, path, "is required");
  for (const [i, version] of versions.entries()) {
    if (versions.indexOf(version) < i) refuse(report, `${path}[${i}]`, "is given twice");
    else if (!isDns1035Label(typeof version === "string" ? version : ""))
      refuse(report, `${path}[${i}]`, "must be a DNS label that begins with a letter");
  }
  if (!tolerates.reviewVersions && !versions.some(isReviewVersion)) {
    refuse(report, path, `must have one of ${REVIEW_VERSIONS.join(", ")}`);
  }
}

function requireClient(client: Json | undefined, toleratesBundle: boolean, report: DefinitionReport): void {
  const path = `${PATH}.webhook.clientConfig`;
  if (client === undefined) return refuse(report, path, "is required if the strategy is Webhook");
  const [url, service] = [textAt(client, "url"), at(client, "service") ?? undefined];
  if ((url === undefined) === (service === undefined)) refuse(report, path, "must have either url or service");
  else if (url !== undefined) requireUrl(url, `${path}.url`, report);
  else requireService(objectAt(service), `${path}.service`, report);
  const bundle = textAt(client, "caBundle") ?? "";
  if (!toleratesBundle && bundle !== "" && !holdsCertificate(bundle)) {
    refuse(report, `${path}.caBundle`, "must hold a certificate in PEM form");
  }
}

function requireUrl(url: string, path: string, report: DefinitionReport): void {
  if (/^https:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/i.test(url)) return;
  refuse(report, path, "must be https:// and a host, with a path at most");
}

function requireService(service: JsonObject, path: string, report: DefinitionReport): void {
  for (const field of ["name", "namespace"]) {
    if ((textAt(service, field) ?? "") === "") refuse(report, `${path}.${field}`, "is required");
  }
  const port = at(service, "port") ?? 443;
  if (typeof port === "number" && (port < 1 || port > 65_535))
    refuse(report, `${path}.port`, "must be between 1 and 65535");
  const text = textAt(service, "path") ?? "";
  if (text === "" || text === "/") return;
  const steps = text.replace(/^\//, "").replace(/\/$/, "").split("/");
  if (!text.startsWith("/") || !steps.every(isDns1123Subdomain)) {
    refuse(report, `${path}.path`, "must be DNS subdomains with a slash before each");
  }
}
