import { getCommandName, quoteArgument } from "../../model/commands.ts";
import { compareText } from "../../model/json.ts";
import { sortNames } from "../../model/names.ts";
import { getPlatform } from "../../model/target-version.ts";
import type { Version } from "../../model/version.ts";
import type { BlindSpot } from "./unknown-section.ts";
import { wrapText } from "./wrapping.ts";

type MissingRight = { readonly user: string; readonly right: string; readonly checks: readonly string[] };

/** An API server's refusal. Source: NewForbidden and forbiddenMessage, k8s.io/apiserver. */
const REFUSAL =
  /User "(?<user>[^"]+)" cannot (?<verb>\w+) (?:resource "(?<resource>[^"]+)" in API group "(?<group>[^"]*)"|path "(?<path>[^"]+)")(?<scope> at the cluster scope| in the namespace "(?<namespace>[^"]+)")?/;

/** Separates refusals, which one ClusterRole and one binding mend, from everything else. */
export function findMissingRights(spots: readonly BlindSpot[]): {
  readonly rights: readonly MissingRight[];
  readonly others: readonly BlindSpot[];
} {
  const parsed = spots.map((spot) => ({ spot, right: parseMissingRight(spot) }));
  return {
    rights: parsed.flatMap(({ right }) => right ?? []),
    others: parsed.flatMap(({ spot, right }) => (right === undefined ? spot : [])),
  };
}

function parseMissingRight({ unknown, checks }: BlindSpot): MissingRight | undefined {
  const found = unknown.reason === "Forbidden" ? REFUSAL.exec(unknown.message)?.groups : undefined;
  if (found?.["user"] === undefined) return undefined;
  const { user, verb, resource, group, path, namespace } = found;
  const kind = path ?? `${resource}${group === "" ? "" : `.${group}`}`;
  return { user, right: `${verb} ${kind}${namespace === undefined ? "" : ` in ${namespace}`}`, checks };
}

/** The rights that each user lacks, one to a line, and the command that grants all of them. */
export function formatMissingRights(
  rights: readonly MissingRight[],
  target: Version,
  width: number,
): readonly (readonly string[])[] {
  const users = [...Map.groupBy(rights, ({ user }) => user)].toSorted(([a], [b]) => compareText(a, b));
  return users.map(([user, missing]) => [
    ...formatUser(user, missing, width),
    ...wrapText("  ", "A cluster administrator grants all rights of a check with", width),
    `    ${buildGrantCommand(user, target)}`,
  ]);
}

function buildGrantCommand(user: string, target: Version): string {
  const platform = getPlatform(target);
  const version = platform === "kubernetes" ? ` --target-version v${target.text}` : "";
  return `preflight rbac${version} --bind-to ${quoteArgument(user)} | ${getCommandName(platform)} apply -f -`;
}

function formatUser(user: string, missing: readonly MissingRight[], width: number): readonly string[] {
  const byRight = [...Map.groupBy(missing, ({ right }) => right)].toSorted(([a], [b]) => compareText(a, b));
  return [
    ...wrapText("  ", `The user ${user} may not`, width),
    ...byRight.flatMap(([right, spots]) =>
      wrapText("  - ", `${right} [${sortNames(spots.flatMap(({ checks }) => checks)).join(", ")}]`, width),
    ),
  ];
}
