import { isRequestUri } from "../../formats/uri.ts";
import { estimateSameSize } from "../cost/call-estimate.ts";
import { getHostname, getPort, parseQuery, parseUrl } from "../runtime/values/url.ts";
import { type CelValue, type UrlValue, buildError } from "../runtime/values/value.ts";
import { onKind, onText, traverseOnce } from "./function-binding.ts";
import type { FunctionRow, Library } from "./function-table.ts";

function definePart(name: string, get: (url: UrlValue) => CelValue, type = "string"): FunctionRow {
  return { name, signatures: `k8s:URL.() ${type}`, call: onKind("url", get) };
}

export const URLS: Library = {
  owner: "api-server",
  since: 23,
  functions: [
    {
      name: "url",
      signatures: "(string) k8s:URL",
      estimate: estimateSameSize,
      call: onText((text) => parseUrl(text) ?? buildError("URL parse error during conversion from string")),
      cost: traverseOnce,
    },
    { name: "isURL", signatures: "(string) bool", call: onText(isRequestUri) },
    definePart("getScheme", ({ scheme }) => scheme),
    definePart("getHost", ({ host }) => host),
    definePart("getHostname", getHostname),
    definePart("getPort", getPort),
    definePart("getEscapedPath", ({ path }) => path),
    definePart("getQuery", parseQuery, "map(string, list(string))"),
  ],
};
