import { type Finding, getUnknownRiskName, sortFindings } from "../../model/check.ts";
import type { PreflightDocument } from "../../model/document.ts";
import type { CheckedFiles } from "../../model/finding-file.ts";
import { compareText } from "../../model/json.ts";
import { type CheckReport, type Report, findingsOf, getNotices, type Outcome } from "../../model/report.ts";
import { sortUnseen } from "../view/lists.ts";
import {
  type RunFacts,
  buildDocument,
  buildPreflightId,
  buildDocumentRisk,
  buildRiskTexts,
  selectReportedRisks,
  getAppliesTimes,
} from "../document/document.ts";
import { sortUnknowns } from "../document/document-checks.ts";
import { buildOfferJson } from "../view/report-page.ts";
import type { View, Format } from "../view/view.ts";
import type { Recheck } from "../view/recheck-page.ts";
import type { Unseen } from "../../model/unseen.ts";
import { formatJsonText, toVisible } from "../../model/visible-text.ts";
import { toYaml } from "../../encoding/yaml.ts";

type JsonView = Pick<
  View,
  "document" | "report" | "hasUnknownRisks" | "accepted" | "acceptances" | "cluster" | "offer" | "recheck" | "files"
>;

/**
 * The document with everything in it: all risks with their whole texts (beyond the limits of v1), all notices, and the findings and
 * unknowns of each check.
 */
export function formatJson(view: JsonView): string {
  return formatJsonText(buildJson(view));
}

export function buildJson(view: JsonView): object {
  const { document, report, accepted, acceptances, cluster, offer, recheck, files } = view;
  return {
    ...document,
    targetImageVerification: report.imageVerification,
    hosted: report.isHosted,
    cluster,
    minorsBetween: report.minorsBetween?.names,
    offer: offer === undefined ? undefined : buildOfferJson(offer),
    risks: buildWholeRisks(view),
    accepted: [...accepted].toSorted(compareText),
    acceptances: acceptances?.map(({ acceptance, state: { kind, ...rest } }) => ({
      ...acceptance,
      state: kind,
      ...rest,
    })),
    checks: report.checks.map((check) => buildCheckJson(check, document)),
    unseen: sortUnseen(report.unseen).map((one) => buildUnseenJson(one, report)),
    coverage: report.coverage,
    recheck: recheck && buildRecheckJson(recheck),
    files: files && buildFilesJson(files),
  };
}

function buildFilesJson({ unread, withoutFile, ...files }: CheckedFiles): object {
  return {
    ...files,
    unread: unread.map(({ reason, place, message }) => ({ reason, ...place, message })),
    withoutFile: withoutFile.map(({ apiVersion, kind, namespace, name }) => ({ apiVersion, kind, namespace, name })),
  };
}

/** What became of each risk since an earlier result. */
function buildRecheckJson({ label, observedAt, isAll, risks }: Recheck): object {
  return {
    result: label,
    observedAt,
    all: isAll,
    risks: risks.map(({ name, check, state, objects, mended, note }) => ({
      name,
      check,
      state,
      objects,
      mended,
      note,
    })),
  };
}

/** What is the same for the results of a run. */
export type ResultFacts = { readonly run: RunFacts; readonly observedAt: Date };

/** What `check -o json` would print of one of several targets. */
export function buildTargetResult(
  view: Pick<JsonView, "report" | "accepted" | "offer">,
  targetVersion: string,
  { run, observedAt }: ResultFacts,
): object {
  const ownRun = { ...run, targetVersion, preflightID: buildPreflightId(observedAt, targetVersion) };
  const document = buildDocument({ result: { kind: "completed", report: view.report }, run: ownRun });
  return buildJson({ ...view, document, hasUnknownRisks: run.hasUnknownRisks });
}

function buildUnseenJson(
  { check, risk, unknown: { reason, where, message }, accepted }: Unseen,
  { checks }: Report,
): object {
  const origin = checks.find(({ id }) => id === check)?.origin;
  return { check, origin, risk, reason, where, message, accepted: accepted === undefined ? undefined : true };
}

/** With what preflight-v1-json does not have, such as the update service's names for the risk. */
function buildWholeRisks(view: JsonView): readonly object[] {
  const { report } = view;
  const appliesSince = getAppliesTimes(view.document);
  const reported = selectReportedRisks(report, view.hasUnknownRisks);
  return buildRiskTexts(reported).map((riskText) => {
    const risk = reported.find(({ name }) => name === riskText.name);
    const { title, effect, leadTime, published, origin, half, stage } = risk ?? {};
    const document = buildDocumentRisk(riskText, report, appliesSince);
    return { ...document, title, effect, leadTime, half, stage, published, origin };
  });
}

function buildCheckJson(check: CheckReport, document: PreflightDocument): object {
  const { id, name, title, outcome, omittedFindings, leftOut, half, stage } = check;
  const reported = document.checks?.find((one) => one.id === id);
  const notices = getNotices(outcome);
  return {
    ...reported,
    id,
    outcome: outcome.kind,
    clearAt: leftOut?.clearAt,
    title,
    half,
    stage,
    ...(notices.length === 0 ? {} : { notices }),
    findings: sortFindings([...findingsOf(outcome), ...getUnknownFindings(getUnknownRiskName({ name }), outcome)]).map(
      buildFindingJson,
    ),
    omittedFindings,
    unknowns:
      outcome.kind === "unknown"
        ? sortUnknowns(outcome.unknowns).map(({ reason, where, message }) => ({ reason, where, message }))
        : [],
  };
}

/** Objects that a check could not decide on, as findings. */
function getUnknownFindings(risk: string, outcome: Outcome): readonly Finding[] {
  if (outcome.kind !== "unknown") return [];
  return outcome.unknowns.flatMap(({ at, message }) => (at ? [{ ...at, risk, message }] : []));
}

/** Puts keys in a fixed order. */
function buildFindingJson({
  object,
  risk,
  path,
  message,
  half,
  detail,
  owners,
  see,
  fix,
  fixKind,
  files,
}: Finding): object {
  const { apiVersion, kind, namespace, name } = object;
  return {
    object: { apiVersion, kind, namespace, name },
    risk,
    path,
    message,
    ...detail,
    ...(half && { half }),
    // A detail may have the name of one that is absent.
    ...(owners && { owners }),
    ...(see && { see }),
    ...(fix && { fix }),
    ...(fixKind && { fixKind }),
    ...(files && { files: files.map(({ place, ...rest }) => ({ ...place, ...rest })) }),
  };
}

/** The same content as `-o json`. */
export const formatYaml: Format = (view) => toYaml(toVisible(buildJson(view)));
