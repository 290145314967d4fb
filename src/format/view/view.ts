import type { JudgedAcceptance, Acceptance } from "../../model/unseen.ts";
import { UNSEEN_RISK_TITLES, UNSEEN_RISKS, UNSEEN_URL } from "../../model/unseen.ts";
import type { CheckedFiles } from "../../model/finding-file.ts";
import type { PreflightDocument } from "../../model/document.ts";
import { type Report, type ReportRisk, findingsOf } from "../../model/report.ts";
import type { TargetOffer } from "../../model/route.ts";
import { EFFECTS, type Effect, type Finding, LEAD_TIMES, sortFindings } from "../../model/check.ts";
import { type UpdateStage, STAGES } from "../../model/halves.ts";
import { compareText } from "../../model/json.ts";
import { selectReportedRisks } from "../document/document.ts";
import type { Recheck } from "./recheck-page.ts";

/** A live cluster, a folder with a recorded one, or an archive. */
export type ClusterOrigin = ClusterPlace & {
  /** Of a management cluster, the hosted cluster that is judged: NAMESPACE/NAME. */
  readonly hostedCluster?: string;
  /** Where that hosted cluster was read itself. */
  readonly guest?: ClusterPlace;
};

type ClusterPlace =
  | { readonly kind: "live"; readonly context: string; readonly server: string }
  | { readonly kind: "recorded"; readonly folder: string }
  /** `takenAt`: RFC 3339; absent if the archive does not say. */
  | { readonly kind: "must-gather"; readonly path: string; readonly takenAt?: string };

/** What is known of a risk on any cluster. */
export type RiskBackground = {
  /** The platforms and the updates that the check covers. */
  readonly concerns: string;
  /** The releases that have the fault, if they are known. */
  readonly releases: readonly string[];
  /** How sure the verdict is. */
  readonly certainty: string;
};

/** The input of a format: one completed cycle, and options of the output. */
export type View = {
  readonly report: Report;
  readonly document: PreflightDocument;
  /** Where the report's objects were read; absent if it does not matter. */
  readonly cluster?: ClusterOrigin;
  /** Whether what was not seen is reported as risks too, as it is by default. */
  readonly hasUnknownRisks?: boolean;
  /** Names of risks that the user has accepted. */
  readonly accepted: ReadonlySet<string>;
  /** Every acceptance and what became of it. */
  readonly acceptances?: readonly JudgedAcceptance[];
  /** How the update service offers the target, if that was read. */
  readonly offer?: TargetOffer;
  /** Whether the text may contain ANSI colours. */
  readonly colour: boolean;
  /** Whether the text may contain hyperlinks for a terminal. */
  readonly links?: boolean;
  /** Set if it is a second look. */
  readonly recheck?: Recheck;
  /** The checks that --only names; empty or absent if all run. */
  readonly only?: readonly string[];
  /** By the names of the risks. */
  readonly backgrounds?: ReadonlyMap<string, RiskBackground>;
  /** Set if files were given in which the objects of findings may stand. */
  readonly files?: CheckedFiles;
  /** The column at which text is wrapped. */
  readonly width: number;
  /** What the user calls this program; by default its own name. */
  readonly program?: string;
};

/** A pure function; its text ends with a line break, unless it is empty. */
export type Format = (view: View) => string;

/** What each effect means for the update, as a heading. */
export const EFFECT_HEADINGS: Readonly<Record<Effect, string>> = {
  refused: "The update is refused",
  notRecommended: "The update is not recommended (--allow-not-recommended)",
  stuck: "The update gets stuck",
  broken: "Something breaks",
};

/** No flag of oc starts the update of a hosted cluster. */
const HOSTED_HEADINGS: typeof EFFECT_HEADINGS = { ...EFFECT_HEADINGS, notRecommended: "The update is not recommended" };

export function getEffectHeadings({ isHosted }: Pick<Report, "isHosted">): typeof EFFECT_HEADINGS {
  return isHosted === true ? HOSTED_HEADINGS : EFFECT_HEADINGS;
}

/** The same of one risk, and of several. */
export const EFFECT_VERBS: Readonly<Record<Effect, readonly [one: string, several: string]>> = {
  refused: ["refuses the update", "refuse the update"],
  notRecommended: ["needs --allow-not-recommended", "need --allow-not-recommended"],
  stuck: ["gets the update stuck", "get the update stuck"],
  broken: ["breaks something", "break something"],
};

const HOSTED_VERBS: typeof EFFECT_VERBS = {
  ...EFFECT_VERBS,
  notRecommended: ["makes the update not recommended", "make the update not recommended"],
};

export function getEffectVerbs({ isHosted }: Pick<Report, "isHosted">): typeof EFFECT_VERBS {
  return isHosted === true ? HOSTED_VERBS : EFFECT_VERBS;
}

/** Risks without an effect report incomplete checks. */
export function getEffect({ effect = "broken" }: Pick<ReportRisk, "effect">): Effect {
  return effect;
}

/** What decides on a risk's place in the order of work. */
type Rank = Pick<ReportRisk, "name" | "effect" | "leadTime" | "stage">;

export function compareRisks(a: Rank, b: Rank): number {
  return (
    getStageIndex(a) - getStageIndex(b) ||
    EFFECTS.indexOf(getEffect(a)) - EFFECTS.indexOf(getEffect(b)) ||
    LEAD_TIMES.indexOf(a.leadTime ?? "minutes") - LEAD_TIMES.indexOf(b.leadTime ?? "minutes") ||
    compareText(a.name, b.name)
  );
}

/** Only the risks of a hosted cluster, both halves of which were judged, have a stage. */
function getStageIndex({ stage = "controlPlane" }: Pick<ReportRisk, "stage">): number {
  return STAGES.indexOf(stage);
}

/** A reported risk with its findings, and how it was accepted. */
export type RiskEntry = {
  readonly risk: ReportRisk;
  readonly findings: readonly Finding[];
  readonly isAccepted: boolean;
  /** Those with a reason, from a configuration file. */
  readonly acceptances: readonly Acceptance[];
};

/** What the user has accepted. */
export type Accepted = Pick<View, "accepted" | "acceptances">;

/**
 * The reported risks in the order of work; those of what was not seen come after the others, accepted ones last. The very last is what
 * was left out for good, which no risk of the report stands for.
 */
export function listRiskEntries(view: View): readonly RiskEntry[] {
  const { report, hasUnknownRisks } = view;
  return [...buildEntries(selectReportedRisks(report, hasUnknownRisks), report, view), ...buildLeftOutEntry(report)];
}

function buildLeftOutEntry({ unseen, target }: Report): readonly RiskEntry[] {
  const acceptances = unseen.flatMap(({ accepted }) => accepted ?? []);
  if (acceptances.length === 0) return [];
  const ids = acceptances.map(({ check }) => check).toSorted(compareText);
  const description = `Left out for good, with a reason: ${ids.join(", ")}.`;
  const remediation = `Nothing is known of what they would find before the update to ${target.text}.`;
  const risk: ReportRisk = {
    name: UNSEEN_RISKS.leftOut,
    unknown: true,
    title: UNSEEN_RISK_TITLES[UNSEEN_RISKS.leftOut],
    description,
    remediation,
    message: `${description} ${remediation}`,
    url: UNSEEN_URL,
  };
  const reasons = acceptances.map(({ check, reason, ...rest }) => ({
    risk: check,
    reason: `${check}: ${reason}`,
    ...rest,
  }));
  return [{ risk, findings: [], isAccepted: true, acceptances: reasons }];
}

export type RiskGroup = {
  readonly kind: Effect | "accepted";
  readonly heading: string;
  readonly entries: readonly RiskEntry[];
};

/** The risks that were found, by what they do to the update; accepted ones come last. Those of incomplete checks are reported as such. */
export function groupRisks(report: Report, accepted: Accepted): readonly RiskGroup[] {
  const found = report.risks.filter(({ unknown }) => !unknown);
  const entries = buildEntries(found, report, accepted);
  const headings = getEffectHeadings(report);
  const stages = new Set(entries.map(({ risk }) => risk.stage));
  const groups = [undefined, ...STAGES]
    .filter((stage) => stages.has(stage))
    .flatMap((stage) =>
      EFFECTS.map((effect): RiskGroup => {
        const ofStage = entries.filter(({ risk, isAccepted }) => !isAccepted && risk.stage === stage);
        const own = ofStage.filter(({ risk }) => getEffect(risk) === effect);
        return { kind: effect, heading: formatHeading(headings[effect], stage), entries: own };
      }),
    );
  const last: RiskGroup = {
    kind: "accepted",
    heading: "Accepted",
    entries: entries.filter(({ isAccepted }) => isAccepted),
  };
  return [...groups, last].filter((group) => group.entries.length > 0);
}

const STAGE_HEADINGS: Readonly<Record<UpdateStage, string>> = { controlPlane: "Control plane", nodes: "Nodes" };

function formatHeading(heading: string, stage: UpdateStage | undefined): string {
  if (stage === undefined) return heading;
  return `${STAGE_HEADINGS[stage]}: ${heading.charAt(0).toLowerCase()}${heading.slice(1)}`;
}

function buildEntries(risks: readonly ReportRisk[], { checks }: Report, accepted: Accepted): readonly RiskEntry[] {
  const findings = Map.groupBy(
    checks.flatMap(({ outcome }) => findingsOf(outcome)),
    ({ risk }) => risk,
  );
  const entries = risks
    .toSorted((a, b) => Number(a.unknown) - Number(b.unknown) || compareRisks(a, b))
    .map((risk) => buildEntry(risk, findings.get(risk.name) ?? [], accepted));
  return [...entries.filter(({ isAccepted }) => !isAccepted), ...entries.filter(({ isAccepted }) => isAccepted)];
}

function buildEntry(risk: ReportRisk, findings: readonly Finding[], given: Accepted): RiskEntry {
  return {
    risk,
    findings: sortFindings(findings),
    isAccepted: given.accepted.has(risk.name),
    acceptances: listReasons(risk.name, given),
  };
}

/** The acceptances of a risk that hold, and say why. */
export function listReasons(name: string, { acceptances = [] }: Partial<Accepted>): readonly Acceptance[] {
  return acceptances.flatMap(({ acceptance, state }) =>
    acceptance.risk === name && state.kind === "accepted" && acceptance.reason !== undefined ? acceptance : [],
  );
}

/** The same in a line; `otherwise` if none of them says why. */
export function formatAcceptances(acceptances: readonly Acceptance[], otherwise: string): string {
  return acceptances.map(formatAcceptance).join("; ") || otherwise;
}

/** "Accepted until 2026-12-31: why" */
export function formatAcceptance({ reason = "", until }: Acceptance): string {
  return `Accepted${until === undefined ? "" : ` until ${until}`}: ${reason}`;
}

/** "takes days": what has to begin early. Minutes are not worth a word. */
export function formatLeadTime({ leadTime }: Pick<ReportRisk, "leadTime">): string | undefined {
  return leadTime === "days" || leadTime === "hours" ? `takes ${leadTime}` : undefined;
}
