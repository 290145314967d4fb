import { isRequestUri } from "../../openapi/formats/uri.ts";
import { getHostname, getPort, parseQuery, parseUrl } from "../values/url.ts";
import { type CelValue, type UrlValue, buildError } from "../values/value.ts";
import { READS_ONCE, onKind, onText } from "./function-binding.ts";
import { type FunctionRow, buildApiServerLibrary } from "../runtime/function-table.ts";

const parse = onText((text) => parseUrl(text) ?? buildError("URL parse error during conversion from string"));

function definePart(get: (url: UrlValue) => CelValue, type = "string"): FunctionRow {
  return { types: `kubernetes.URL.() ${type}`, call: onKind("url", get) };
}

export const URLS = buildApiServerLibrary("rules", {
  url: { ...READS_ONCE, types: "(string) kubernetes.URL", call: parse },
  isURL: { types: "(string) bool", call: onText(isRequestUri) },
  getScheme: definePart(({ scheme }) => scheme),
  getHost: definePart(({ host }) => host),
  getHostname: definePart(getHostname),
  getPort: definePart(getPort),
  getEscapedPath: definePart(({ path }) => path),
  getQuery: definePart(parseQuery, "map(string, list(string))"),
});
