import type { Effect, LeadTime } from "../../model/check.ts";
import type { FixKind } from "../../model/commands.ts";
import type { JsonObject } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import type { CheckSubject } from "../../model/halves.ts";
import type { UnknownReason } from "../../model/unknown-reason.ts";
import type { UpdateKind, Platform, Version } from "../../model/version.ts";
import { compareVersions, getMinorOrdinal, isInRange, parseVersion } from "../../model/version.ts";

/** A check as data, as schemas/preflight-check-v1alpha1.schema.json describes it: E is an expression, T a text with `${E}` in it. */
export type CheckDefinition = {
  readonly metadata: { readonly name: string };
  readonly spec: CheckRules & {
    readonly name?: string;
    readonly requires?: { readonly preflight: string };
    readonly title: string;
    readonly applies: AppliesDefinition;
    /** Listed objects show by themselves what it finds, in files as in a cluster. */
    readonly onManifests?: true;
    readonly notApplicable?: readonly NotApplicableDefinition[];
    readonly risks?: readonly RiskDefinition[];
    readonly notices?: readonly NoticeDefinition[];
    readonly unknowns?: readonly UnknownDefinition[];
    readonly seenAfterUpdate?: string;
  };
};

/** What rules read and compute. */
export type CheckRules = {
  readonly reads?: Readonly<Record<string, ReadDefinition>>;
  readonly variables?: readonly VariableDefinition[];
};

/** One of `crosses`, `updates` and `leavesMinor`, or `openshift` and `kubernetes`, of which one follows from the other. */
export type AppliesDefinition = {
  readonly crosses?: string;
  readonly openshift?: { readonly crosses: string };
  readonly kubernetes?: { readonly crosses: string };
  readonly updates?: readonly UpdateKind[];
  readonly leavesMinor?: true;
  readonly versions?: readonly AffectedVersions[];
  readonly platforms?: readonly Platform[];
  readonly subject?: CheckSubject;
  readonly knownUpTo?: string;
};

/** Sources from `from`, before `before`. */
export type SourceRange = { readonly from?: string; readonly before?: string };

/** Affected targets, both ends included, and the sources from which they are affected: any, if none are given. */
export type AffectedVersions = {
  readonly first: string;
  readonly last: string;
  readonly sources?: readonly SourceRange[];
  /** The first release of the same minor without the bug. */
  readonly fixedIn?: string;
};

/** One of `list` (a resource, "apps/v1/deployments") and `get` (with the `name` of an object, "name" or "namespace/name"). */
export type ReadDefinition = {
  readonly list?: string;
  readonly get?: string;
  readonly name?: string;
  /** E of the object alone: what is false is not kept. */
  readonly where?: string;
  /** Names of look-ups; E of the object alone: its keys. */
  readonly index?: Readonly<Record<string, string>>;
  /** E without lists of its own: it is read only if that is true. */
  readonly when?: string;
  readonly required?: true;
  /** The manifests of the target that would apply, instead of the cluster's objects. */
  readonly of?: "target";
  readonly only?: Platform;
  readonly soundInPart?: "object" | "namespace";
  readonly metadataOnly?: true;
};

export type VariableDefinition = { readonly name: string; readonly expression: string };

export type NotApplicableDefinition = { readonly when: string; readonly reason: string };

/** The texts of a risk, which TypeScript finds unless its rules are beside them. */
export type RiskTexts = {
  readonly name: string;
  readonly effect: Effect;
  readonly leadTime?: LeadTime;
  readonly title: string;
  readonly url: string;
  readonly message: string;
  readonly remediation: string;
  readonly see?: readonly CommandRule[];
  readonly fix?: readonly CommandRule[];
  /** By default what follows from the commands. */
  readonly fixKind?: FixKind;
  /** For embedded checks alone: what differs where the control plane is hosted. */
  readonly hosted?: HostedTexts;
  /** For embedded checks alone. */
  readonly published?: readonly string[];
  readonly liftedAs?: string;
  readonly example?: ExampleDefinition;
};

/** What is left out stays; a `fix` of none offers nothing. */
type HostedTexts = Partial<Pick<RiskTexts, "message" | "remediation" | "see" | "fix">>;

export type RiskDefinition = RiskTexts & { readonly findings: readonly FindingDefinition[] };

/** A finding for `explain`, with `<placeholders>`. */
type ExampleDefinition = {
  readonly object: ObjectRef;
  readonly path?: string;
  readonly detail?: Readonly<Record<string, string>>;
  readonly platform?: Platform;
};

/** What every rule that may run once for each item of a list has. */
export type RuleDefinition = { readonly forEach?: string; readonly when?: string };

export type FindingDefinition = RuleDefinition & {
  readonly object?: string;
  readonly path?: string;
  readonly message: string;
  readonly detail?: Readonly<Record<string, string>>;
};

export type NoticeDefinition = RuleDefinition & { readonly message: string };

export type UnknownDefinition = NoticeDefinition & { readonly reason?: UnknownReason; readonly where: string };

/** One command for a finding's object, or for another one: one of the verbs, or `run`. */
export type CommandRule = {
  readonly when?: string;
  readonly get?: CommandObject;
  readonly describe?: CommandObject;
  readonly edit?: CommandObject;
  readonly delete?: CommandObject;
  readonly patch?: JsonObject & { readonly object?: CommandObject };
  readonly label?: { readonly labels: Changes; readonly object?: CommandObject };
  readonly annotate?: { readonly annotations: Changes; readonly object?: CommandObject };
  readonly scale?: { readonly replicas: number | string; readonly object?: CommandObject };
  readonly restart?: CommandObject;
  readonly run?: string;
};

/** T by key; null takes away what is there. */
type Changes = Readonly<Record<string, string | null>>;

/** What differs from the finding's object; a `namespace` of "" stands for none. */
export type CommandObject = Partial<ObjectRef>;

/** An update. */
type FromTo = { readonly source: Version; readonly target: Version };

/** Does an entry concern an update? Compares full versions, including pre-releases. */
export function isAffected(versions: readonly AffectedVersions[], { source, target }: FromTo): boolean {
  return versions.some(
    ({ first, last, sources }) =>
      (sources === undefined || sources.some((range) => isInSources(source, range))) &&
      isInRange(target, { from: first, to: last }),
  );
}

function isInSources(source: Version, { from, before }: SourceRange): boolean {
  const isBelow = (text: string): boolean => compareVersions(source, requireVersion(text)) < 0;
  return (from === undefined || !isBelow(from)) && (before === undefined || isBelow(before));
}

function requireVersion(text: string): Version {
  const version = parseVersion(text);
  if (!version) throw new Error(`${text} is not a version`);
  return version;
}

/** What to do if no release has the fix. */
export const NO_FIX = "Choose another target";

/** The general form names no releases if there are more. */
const MAX_FIXES = 8;

/** "Update to 4.21.3 or a later 4.21 instead", or "Choose another target". Without an update, all releases with the fix. */
export function formatFixes(versions: readonly AffectedVersions[], route?: FromTo): string {
  const fixed = selectFixedVersions(versions).filter((version) => route === undefined || isReachable(version, route));
  if (fixed.length === 0) return NO_FIX;
  // Later minors may have the fault again, so each release stands for its own minor only.
  const fixes = fixed.map(({ text, major, minor }) => `${text} or a later ${major}.${minor}`);
  if (fixes.length > MAX_FIXES) return "Update to a release with the fix instead";
  return `Update to ${fixes.length === 1 ? fixes.join("") : `a release with the fix (${fixes.join(", ")})`} instead`;
}

/** An update to it goes forward, and not beyond the target's minor. 4.23 and 5.0 are two lines of one minor. */
function isReachable(version: Version, { source, target }: FromTo): boolean {
  if (compareVersions(source, version) >= 0) return false;
  const ordinal = getMinorOrdinal(version);
  const last = getMinorOrdinal(target);
  return ordinal < last || (ordinal === last && version.major === target.major);
}

/** The releases with the fix, one of each minor, in their order: the nearest first. */
function selectFixedVersions(versions: readonly AffectedVersions[]): readonly Version[] {
  const texts = new Set(versions.flatMap(({ fixedIn }) => fixedIn ?? []));
  return [...texts].flatMap((text) => parseVersion(text) ?? []).toSorted(compareVersions);
}
