import { getCommandName, quoteArgument } from "../../model/commands.ts";
import { compareText } from "../../model/json.ts";
import { sortNames } from "../../model/names.ts";
import { getPlatform } from "../../model/target-version.ts";
import type { Report } from "../../model/report.ts";
import { formatChecksFlags } from "../../model/site-checks.ts";
import { isUngranted } from "../../model/ungranted.ts";
import type { UnknownCause } from "./unknown-causes.ts";

type MissingRight = { readonly user: string; readonly right: string; readonly checks: readonly string[] };

/** An API server's refusal, of a user whose name can be written in a command. Source: NewForbidden and forbiddenMessage, k8s.io/apiserver. */
const REFUSAL =
  /User "(?<user>(?![^"]*U\+[0-9A-F]{4})[^"\\]+)" cannot (?<verb>\w+) (?:resource "(?<resource>[^"]+)" in API group "(?<group>[^"]*)"|path "(?<path>[^"]+)")(?<scope> at the cluster scope| in the namespace "(?<namespace>[^"]+)")?/;

/** The rights that one user lacks, each with the checks that need it, and the command that grants all of them. */
export type UserRights = {
  readonly user: string;
  readonly missing: readonly Omit<MissingRight, "user">[];
  readonly command: string;
};

/** Stands before the command. */
export const GRANT_INTRODUCTION = "A cluster administrator grants all rights of a check with";

/** Separates refusals, which one ClusterRole and one binding remove, from everything else. */
export function findMissingRights(
  causes: readonly UnknownCause[],
  report: Pick<Report, "target" | "checks">,
): { readonly users: readonly UserRights[]; readonly others: readonly UnknownCause[] } {
  const parsed = causes.map((cause) => ({ cause, right: parseMissingRight(cause) }));
  const byUser = Map.groupBy(
    parsed.flatMap(({ right }) => right ?? []),
    ({ user }) => user,
  );
  return {
    users: [...byUser]
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([user, missing]) => ({
        user,
        missing: mergeRights(missing),
        command: buildGrantCommand(user, missing, report),
      })),
    others: parsed.flatMap(({ cause, right }) => (right === undefined ? cause : [])),
  };
}

function mergeRights(missing: readonly MissingRight[]): UserRights["missing"] {
  const byRight = [...Map.groupBy(missing, ({ right }) => right)].toSorted(([a], [b]) => compareText(a, b));
  return byRight.map(([right, causes]) => ({ right, checks: sortNames(causes.flatMap(({ checks }) => checks)) }));
}

function parseMissingRight({ unknown, checks }: UnknownCause): MissingRight | undefined {
  const found =
    unknown.reason === "Forbidden" && !isUngranted(unknown) ? REFUSAL.exec(unknown.message)?.groups : undefined;
  if (found?.["user"] === undefined) return undefined;
  const { user, verb, resource, group, path, namespace } = found;
  const kind = path ?? `${resource}${group === "" ? "" : `.${group}`}`;
  return { user, right: `${verb} ${kind}${namespace === undefined ? "" : ` in ${namespace}`}`, checks };
}

function buildGrantCommand(
  user: string,
  missing: readonly MissingRight[],
  { target, checks }: Pick<Report, "target" | "checks">,
): string {
  const ids = new Set(missing.flatMap((one) => one.checks));
  const files = formatChecksFlags(checks.filter(({ id }) => ids.has(id)).map(({ origin }) => origin));
  const platform = getPlatform(target);
  const version = platform === "kubernetes" ? ` --target-version v${target.text}` : "";
  return `preflight rbac${files}${version} --bind-to ${quoteArgument(user)} | ${getCommandName(platform)} apply -f -`;
}

/** Whether a remedy says no more than the command that grants the rights: some checks are incomplete for other reasons too. */
export function isGrant(remedy: string): boolean {
  return /^Grant the rights that "preflight rbac.*" prints, or check these by hand before updating\.(?: \(From [^"]*\))?$/.test(
    remedy,
  );
}
