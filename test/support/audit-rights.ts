import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { loadAll } from "js-yaml";
import { isObject, listAt, textAt, textsAt } from "../../src/model/json.ts";
import { parseApiPath } from "../../verify/api-server/api-path.ts";
import type { AuditLine } from "../../verify/api-server/audit-lines.ts";

/** The rights that a file's roles of this name grant, each as "patch clusterversions.config.openshift.io/status version". */
export function readGrantedRights(file: string, role: string): readonly string[] {
  const roles = loadAll(readFileSync(file, "utf8")).filter(isObject);
  const rules = roles.filter((one) => textAt(one, "metadata", "name") === role).flatMap((one) => listAt(one, "rules"));
  assert.ok(rules.length > 0, file);
  return rules.flatMap((rule) => {
    const names = textsAt(rule, "resourceNames");
    return textsAt(rule, "apiGroups").flatMap((group) =>
      textsAt(rule, "resources").flatMap((resource) =>
        textsAt(rule, "verbs").flatMap((verb) =>
          (names.length > 0 ? names : [undefined]).map((name) => formatRight(verb, group, resource, name)),
        ),
      ),
    );
  });
}

/** The rights that requests used: with the object's name, and without, since a role may grant either. */
function findUsedRights(lines: readonly AuditLine[]): ReadonlySet<string> {
  return new Set(lines.flatMap(({ verb, uri }) => parseRights(verb, uri)));
}

function parseRights(verb: string, uri: string): readonly string[] {
  const { pathname, searchParams } = new URL(uri, "http://localhost");
  const { group = "", resource = "", name } = parseApiPath(pathname) ?? {};
  const subresource = name === undefined ? undefined : pathname.split(`/${name}/`)[1];
  const selected = /^metadata\.name=(.+)$/.exec(searchParams.get("fieldSelector") ?? "")?.[1];
  const kind = subresource === undefined ? resource : `${resource}/${subresource}`;
  return [formatRight(verb, group, kind, undefined), formatRight(verb, group, kind, name ?? selected)];
}

function formatRight(verb: string, group: string, resource: string, name: string | undefined): string {
  const [plural = "", subresource] = resource.split("/");
  const kind = `${group === "" ? plural : `${plural}.${group}`}${subresource === undefined ? "" : `/${subresource}`}`;
  return [verb, kind, ...(name === undefined ? [] : [name])].join(" ");
}

/** The paths that each right opens: of one object by its name, of all objects of a kind in any version, or of a text. */
export function groupByRight(paths: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(paths, (path) => {
    const { group, resource, name } = parseApiPath(path) ?? {};
    if (group === undefined || resource === undefined) return `get ${path}`;
    return formatRight(name === undefined ? "list" : "get", group, resource, name);
  });
}

/** Requests that were refused, or that no right allows; and rights that no request used and `explained` does not name. */
export function compareRights(
  granted: readonly string[],
  lines: readonly AuditLine[],
  explained: Readonly<Record<string, string>>,
): { readonly forbidden: readonly string[]; readonly unused: readonly string[] } {
  const used = findUsedRights(lines.filter(({ code }) => code !== 403));
  const forbidden = lines.filter(
    ({ verb, uri, code }) => code === 403 || !parseRights(verb, uri).some((right) => granted.includes(right)),
  );
  return {
    forbidden: forbidden.map(({ verb, uri }) => `${verb} ${uri}`),
    unused: granted.filter((right) => !used.has(right) && !(right in explained)),
  };
}
