import { type Unknown, getUnknownRiskName } from "./check.ts";
import { joinNames } from "./text.ts";
import type { CheckReport, Report } from "./report.ts";
import type { MinorsBetween } from "./route.ts";
import { type Version, getPlatform } from "./version.ts";

/** Something that would have to be seen for a result to be clear, and was not. */
export type Unseen = {
  /** The check that did not see it; absent if it concerns the whole result. */
  readonly check?: string;
  /** The risk that reports it, and by whose name it can be accepted. */
  readonly risk: string;
  readonly unknown: Unknown;
  /** Set if the check was left out for good, for a reason that still holds. */
  readonly accepted?: CheckAcceptance;
};

/** Risks that concern the whole result. */
export const UNSEEN_RISKS = {
  leftOut: "PreflightChecksLeftOut",
  minorsBetween: "PreflightMinorsBetween",
  nothingChecked: "PreflightNothingChecked",
} as const;

/** No other risk is called so, of this version's checks or another one's. */
export function isUnknownRiskName(name: string): boolean {
  return name.endsWith("Unknown");
}

/** Whether a risk of this name stands for something that was not seen, by this version or another one. */
export function isUnseenRiskName(name: string): boolean {
  return isUnknownRiskName(name) || Object.values<string>(UNSEEN_RISKS).includes(name);
}

/** What each of them states, as the titles of checks do. */
export const UNSEEN_RISK_TITLES = {
  PreflightChecksLeftOut: "Every check that applies to the update was run",
  PreflightMinorsBetween: "The target is one update away",
  PreflightNothingChecked: "At least one check applies to the update",
} as const satisfies Readonly<Record<UnseenRisk, string>>;

type UnseenRisk = (typeof UNSEEN_RISKS)[keyof typeof UNSEEN_RISKS];

/** The page about what was not seen, for every check. */
export const UNSEEN_URL =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/index";

/** Everything that was not seen, in the order of the checks. The formats, `complete` and the exit codes follow from this list alone. */
export function collectUnseen(
  report: Pick<Report, "checks" | "source" | "target" | "minorsBetween">,
): readonly Unseen[] {
  const unseen = [...report.checks.flatMap(collectFromCheck), ...findPassedMinors(report)];
  return unseen.length === 0 && isNothingChecked(report) ? [NOTHING_CHECKED] : unseen;
}

/** Settings that choose a part of the checks for a moment, and leave nothing out for good. */
const PASSING: ReadonlySet<string> = new Set(["--only", "--recheck"]);

/** Whether a check is unknown only since somebody looks at others for a moment: nobody accepts that. */
export function isPassing({ risk, unknown, accepted }: Unseen): boolean {
  return risk === UNSEEN_RISKS.leftOut && accepted === undefined && PASSING.has(unknown.where);
}

/** Whether nothing is left that was not seen and whose leaving out nobody accepted with a reason. */
export function isComplete({ unseen }: Pick<Report, "unseen">): boolean {
  return unseen.every(({ accepted }) => accepted !== undefined);
}

/** What keeps a result from being clear, if risks of these names are accepted. */
export function selectOpenUnseen(
  { unseen }: Pick<Report, "unseen">,
  acceptedNames: ReadonlySet<string>,
): readonly Unseen[] {
  return unseen.filter(({ accepted, risk }) => accepted === undefined && !acceptedNames.has(risk));
}

function isNothingChecked({ checks }: Pick<Report, "checks">): boolean {
  return checks.length > 0 && checks.every(({ outcome }) => outcome.kind === "notApplicable");
}

function collectFromCheck({ id, name, outcome, leftOut }: CheckReport): readonly Unseen[] {
  if (outcome.kind !== "unknown") return [];
  const risk = leftOut === undefined ? getUnknownRiskName({ name }) : UNSEEN_RISKS.leftOut;
  return outcome.unknowns.map((unknown) => ({ check: id, risk, unknown, ...leftOut }));
}

type Passed = Pick<Report, "source" | "target" | "minorsBetween">;

function findPassedMinors({ source, target, minorsBetween }: Passed): readonly Unseen[] {
  if (minorsBetween === undefined) return [];
  const { names, unknown } = minorsBetween;
  const offer = getPlatform(target) === "kubernetes" ? "" : `${describeOffer(minorsBetween)} `;
  const place = `${joinNames(names)} ${names.length === 1 ? "lies" : "lie"} between ${source.text} and ${target.text}`;
  const verdict = `this ${unknown === undefined ? "is" : "may be"} several updates, and only the last release was checked.`;
  const message = `${place}: ${verdict} ${offer}${describeWay(target)}`;
  const where = "the releases on the way";
  return [{ risk: UNSEEN_RISKS.minorsBetween, unknown: { reason: "MinorsBetween", where, message } }];
}

function describeOffer({ channel, unknown }: MinorsBetween): string {
  if (unknown !== undefined) return `Whether the update service offers it as one is not known: ${unknown}.`;
  const where = channel === undefined ? "" : ` in the channel ${channel}`;
  return `The update service does not offer it to this cluster as one${where}.`;
}

/** What checks the updates before the last one. */
function describeWay(target: Version): string {
  if (getPlatform(target) === "openshift") return `"preflight plan --to ${target.text}" checks each of them`;
  return "Check each minor with --target-version once the cluster runs the one before it";
}

const NOTHING_CHECKED: Unseen = {
  risk: UNSEEN_RISKS.nothingChecked,
  unknown: { reason: "NothingChecked", where: "the update", message: "none of the checks applies to it" },
};

/** An administrator's decision to live with a risk. */
export type Acceptance = {
  readonly risk: string;
  /** Absent if a flag accepts it. */
  readonly reason?: string;
  /** The last day on which it holds, in UTC: "2026-12-31". */
  readonly until?: string;
  /** The only objects on which it holds, as formatRef prints them. */
  readonly objects?: readonly string[];
};

/** An administrator's decision to leave a check out for good. It does not leave it out. */
export type CheckAcceptance = {
  readonly check: string;
  readonly reason: string;
  /** The last day on which it holds, in UTC: "2026-12-31". */
  readonly until?: string;
};

/** Whether the last day of an acceptance is over. `observedAt`: when the cluster was read, RFC 3339 in UTC. */
export function hasLapsed({ until }: { readonly until?: string }, observedAt: string): boolean {
  return until !== undefined && until < observedAt.slice(0, "2026-12-31".length);
}

/**
 * What became of an acceptance in one run. `lapsed`: its last day is over; `unmatched`: the run did not find the risk, or on none of the
 * objects that the acceptance names (`objects`: on which instead); `exceeded`: the risk also concerns objects that it does not name.
 */
export type AcceptanceState =
  | { readonly kind: "accepted" | "lapsed" }
  | { readonly kind: "unmatched"; readonly objects?: readonly string[] }
  | { readonly kind: "exceeded"; readonly objects: readonly string[] };

export type JudgedAcceptance = { readonly acceptance: Acceptance; readonly state: AcceptanceState };
