import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { RE2JS } from "re2js";
import { type Json, listAt, textAt, textsAt } from "../../src/model/json.ts";
import { type Version, parseVersion } from "../../src/model/version.ts";
import { parseDocuments } from "../../src/encoding/yaml.ts";

/** A risk that the update service publishes for the updates to one release: a file of blocked-edges. */
export type PublishedEdge = {
  readonly file: string;
  readonly name: string;
  readonly url: string;
  readonly message: string;
  readonly target: Version;
  /** The regular expression of `isFrom`. */
  readonly from: string;
  readonly isFrom: (source: Version) => boolean;
  /** The expression by which the service decides which clusters to warn; absent if it warns all of them. */
  readonly promql?: string;
  readonly fixedIn?: string;
};

export type GraphData = {
  readonly edges: readonly PublishedEdge[];
  /** Every release that the data name, as possible sources. */
  readonly releases: readonly Version[];
  /** Edges without a name are blocked for every cluster: the update service doesn't offer them at all. */
  readonly unnamed: number;
  readonly problems: readonly string[];
};

/** The service appends the architecture to the versions that `from` is matched against. */
const ARCHITECTURES = ["amd64", "arm64", "multi", "ppc64le", "s390x"];

/** Reads a checkout of the update service's graph data. */
export function readGraphData(folder: string): GraphData {
  const files = readYamlFiles(join(folder, "blocked-edges"));
  const channels = existsSync(join(folder, "channels")) ? readYamlFiles(join(folder, "channels")) : [];
  const results = files.map(({ file, value }) => parseEdge(file, value));
  const edges = results.flatMap((result) => (result.kind === "edge" ? [result.edge] : []));
  const listed = channels.flatMap(({ value }) => textsAt(value, "versions")).flatMap(parseRelease);
  return {
    edges,
    releases: deduplicate([...edges.map(({ target }) => target), ...listed]),
    unnamed: results.filter(({ kind }) => kind === "unnamed").length,
    problems: results.flatMap((result) => (result.kind === "problem" ? [result.problem] : [])),
  };
}

type YamlFile = { readonly file: string; readonly value: Json | undefined };

function readYamlFiles(folder: string): readonly YamlFile[] {
  return readdirSync(folder)
    .filter((file) => /\.ya?ml$/.test(file))
    .toSorted()
    .map((file) => {
      const parsed = parseDocuments(readFileSync(join(folder, file), "utf8"));
      return { file, value: parsed.kind === "documents" ? parsed.documents[0] : undefined };
    });
}

type EdgeResult =
  | { readonly kind: "edge"; readonly edge: PublishedEdge }
  | { readonly kind: "unnamed" }
  | { readonly kind: "problem"; readonly problem: string };

function parseEdge(file: string, value: Json | undefined): EdgeResult {
  const [target] = parseRelease(textAt(value, "to") ?? "");
  const pattern = textAt(value, "from") ?? "";
  const from = compilePattern(pattern);
  if (target === undefined) return { kind: "problem", problem: `${file}: "to" is not a version` };
  if (from === undefined) return { kind: "problem", problem: `${file}: "from" is not a regular expression` };
  const name = textAt(value, "name");
  if (name === undefined) return { kind: "unnamed" };
  const isFrom = ({ text }: Version): boolean => ARCHITECTURES.some((one) => from.matcher(`${text}+${one}`).find());
  const fixedIn = textAt(value, "fixedIn");
  const texts = { url: textAt(value, "url") ?? "", message: textAt(value, "message") ?? "" };
  const promql = listAt(value, "matchingRules").flatMap((rule) => textAt(rule, "promql", "promql") ?? [])[0];
  const optional = { ...(fixedIn ? { fixedIn } : {}), ...(promql === undefined ? {} : { promql }) };
  return { kind: "edge", edge: { file, name, ...texts, target, from: pattern, isFrom, ...optional } };
}

function compilePattern(text: string): RE2JS | undefined {
  try {
    return text === "" ? undefined : RE2JS.compile(text);
  } catch {
    return undefined;
  }
}

/** The version without the architecture, if there is one. */
function parseRelease(text: string): readonly Version[] {
  const version = parseVersion(text.replace(/\+.*$/, ""));
  return version === undefined ? [] : [version];
}

export function deduplicate(versions: readonly Version[]): readonly Version[] {
  return [...new Map(versions.map((version) => [version.text, version])).values()];
}
