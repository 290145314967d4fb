import { parseDocuments } from "../../../encoding/yaml.ts";
import { readTextFile } from "../../../files/named-file.ts";
import type { FleetCluster } from "../../../format/fleet/cluster.ts";
import { type GroupRule, type ListedGroup, matchesPattern } from "../../../format/fleet/groups.ts";
import { formatError, UsageError } from "../../../model/errors.ts";
import { isList, isObject, type Json } from "../../../model/json.ts";
import { summarizeNames } from "../../../model/text.ts";
import { type Io, warn } from "../../io/io.ts";

const MAX_BYTES = 4 * 1024 * 1024;
const FORM = "label=KEY, name=1 or a file such as {canary: [lab-1], production: ['prod-*']}";

/** What --group-by says. Throws a UsageError that says what to write. */
export async function readGroupRule(text: string | undefined): Promise<GroupRule | undefined> {
  if (text === undefined) return undefined;
  const [, kind, value = ""] = /^(label|name)=(.*)$/s.exec(text) ?? [];
  if (kind === "label" && value !== "") return { kind: "label", key: value };
  if (kind === "name" && /^[1-9]\d?$/.test(value)) return { kind: "part", number: Number(value) };
  if (kind !== undefined) throw new UsageError(`--group-by "${text}" is incomplete: write ${FORM}`);
  return { kind: "list", groups: parseGroups(await readGroupFile(text), text) };
}

async function readGroupFile(path: string): Promise<string> {
  try {
    return await readTextFile(path, MAX_BYTES);
  } catch (thrown) {
    throw new UsageError(`--group-by ${path} can't be read: ${formatError(thrown)}; write ${FORM}`);
  }
}

function parseGroups(text: string, path: string): readonly ListedGroup[] {
  const parsed = parseDocuments(text);
  const [value] = parsed.kind === "documents" ? parsed.documents : [];
  if (parsed.kind === "invalid" || !isObject(value) || Object.keys(value).length === 0)
    throw new UsageError(`--group-by ${path} is not a list of groups: write ${FORM}`);
  return Object.entries(value).map(([name, patterns]) => ({ name, patterns: parsePatterns(patterns, name, path) }));
}

function parsePatterns(value: Json | undefined, group: string, path: string): readonly string[] {
  const names = isList(value) ? value : [value];
  return names.map((name) => {
    if (typeof name === "string" || typeof name === "number") return `${name}`;
    throw new UsageError(`--group-by ${path}: group ${group} is not a list of names of clusters: write ${FORM}`);
  });
}

/** A rule that groups nothing is wrong usage; a name that no cluster has is said. */
export function requireGroups(rule: GroupRule | undefined, clusters: readonly FleetCluster[], io: Io): void {
  if (rule === undefined) return;
  if (rule.kind === "label" && clusters.every(({ managed }) => managed === undefined))
    throw new UsageError(
      `--group-by label=${rule.key} needs the labels of the clusters: add what "oc get managedclusters -o json" prints to --from`,
    );
  if (rule.kind !== "list") return;
  const patterns = rule.groups.flatMap((group) => group.patterns);
  const unused = patterns.filter((pattern) => !clusters.some(({ name }) => matchesPattern(pattern, name)));
  if (unused.length > 0) warn(`No cluster is called ${summarizeNames(unused)}, as --group-by says`, io);
}
