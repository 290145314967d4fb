import { isByMode } from "../lift/mode.ts";
import { type Request, requestOf } from "../lift/request.ts";
import { payloadOf, type Payload, type Target } from "../lift/target.ts";
import { canonical, type JsonObject, objectAt, textAt } from "../model/json.ts";
import { isOurMode } from "./mode-record.ts";
import type { Observed } from "./observed.ts";

/** What is asked for, and by which way. */
export type Asked =
  | { readonly kind: "nothing" }
  | { readonly kind: "invalid"; readonly problems: readonly string[] }
  | {
      readonly kind: "preflight";
      readonly by: "request" | "mode";
      readonly request: Request;
      readonly payload: Payload;
      /** The same for as long as it is the same request, made once. */
      readonly key: string;
    };

/** The ConfigMap goes before spec.desiredUpdate.mode, which is honoured where somebody set it: not where we have passed a request on. */
export function askedOf({ clusterVersion, request, result }: Observed): Asked {
  const read = requestOf(request);
  if (read.kind === "invalid") return read;
  if (read.kind === "request") {
    const made = textAt(request, "metadata", "uid") ?? "";
    return asked("request", read.request, clusterVersion, `${made} ${canonical(objectAt(request, "data"))}`);
  }
  if (!isByMode(clusterVersion) || isOurMode(clusterVersion, result)) return { kind: "nothing" };
  const target = targetOf(objectAt(clusterVersion, "spec", "desiredUpdate"));
  if (!target) return { kind: "invalid", problems: ["spec.desiredUpdate has the mode Preflight, and no target"] };
  return asked("mode", { target }, clusterVersion, "mode");
}

function asked(by: "request" | "mode", request: Request, clusterVersion: JsonObject, key: string): Asked {
  const payload = payloadOf(clusterVersion, request.target);
  const image = payload.kind === "refused" ? "" : payload.image;
  return { kind: "preflight", by, request, payload, key: `${key} ${image}` };
}

function targetOf(desired: JsonObject): Target | undefined {
  const [image, version] = [textAt(desired, "image"), textAt(desired, "version")];
  if (image !== undefined && image !== "") return { kind: "image", image };
  return version === undefined || version === "" ? undefined : { kind: "version", version };
}
