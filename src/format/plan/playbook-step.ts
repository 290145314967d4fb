import type { Plan, PlannedStep } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import { formatStepTarget, isRecommended, type RouteStep } from "../../model/route.ts";
import { getPlatform, type Platform } from "../../model/version.ts";
import type { Block, Card, Item, Section, Text } from "../text/page.ts";
import { buildListSection, listNotices, listUnseen, listIncompleteChecks } from "../view/lists.ts";
import { formatVerification } from "../view/report-page.ts";
import { buildRiskCard } from "../view/risk-sections.ts";
import { formatAcceptances, groupRisks, type RiskEntry, type RiskGroup } from "../view/view.ts";
import type { CheckedStep, PlaybookView, StepView } from "./plan-view.ts";
import { buildHostedChange, buildPauseCommands, listConditions, listPending } from "./plan-view.ts";

/** The check whose risks are acknowledgements: they are given last, once what they speak of is done. */
const ACKNOWLEDGEMENTS = "admin-acks";

/** One update: what to do before it, how to start it, and what to look at after it. */
export function buildStepSection(step: StepView, next: StepView | undefined, view: PlaybookView): Section {
  const { number, planned, target } = step;
  const heading = `Step ${number}: ${planned.from} to ${target}`;
  const section = buildSection(heading, [
    ...buildConditions(step),
    buildSection(`Before step ${number}`, buildBefore(step, view.recheckSome)),
    buildSection(`Step ${number}`, buildUpdate(step, view.plan)),
    buildSection(`After step ${number}`, buildAfter(step, next, view)),
  ]);
  return { ...section, anchor: `step-${number}` };
}

function buildSection(heading: string, blocks: readonly Block[]): Section {
  return { kind: "section", heading, blocks };
}

/** `text`: words of our own, and texts of others as parts of their own. */
function buildText(text: string | readonly Exclude<Text, string>[number][]): Block {
  return { kind: "text", text: typeof text === "string" ? [{ own: text }] : text };
}

function buildConditions(step: StepView): readonly Block[] {
  if (step.planned.step.recommendation.kind !== "conditional") return [];
  return [buildText("The update service offers it with conditions:"), { kind: "list", items: listConditions(step) }];
}

function buildBefore(step: StepView, recheck: string): readonly Block[] {
  const { result } = step;
  if (result.kind === "notChecked") {
    const text = [{ own: "This update was not checked: " }, result.message, { own: ". Check it first." }];
    return buildTasks([{ text }]);
  }
  const blocks = [
    ...buildImage(result.report),
    ...buildWork(step, result, recheck),
    ...result.repeatedRisks.map(([number, names]) =>
      buildText(`Already to do before step ${number}, and needed for this step too: ${names}.`),
    ),
    ...buildUnknowns(result, recheck),
    ...buildListSection("Worth knowing", listNotices(result.own)),
  ];
  return blocks.length === 0 ? [buildText("Nothing to do before this step.")] : blocks;
}

function buildImage({ image, imageVerification }: Report): readonly Block[] {
  if (image === undefined || imageVerification === undefined) return [];
  return [
    buildText([{ own: "Release image " }, { code: image }, { own: ": " }, formatVerification(imageVerification)]),
  ];
}

function buildWork(step: StepView, { own }: CheckedStep, recheck: string): readonly Block[] {
  const groups = groupRisks(own, step);
  const open = groups.filter(({ kind }) => kind !== "accepted");
  const build = (entries: readonly RiskEntry[], kind: RiskGroup["kind"]): readonly Card[] =>
    entries.map((entry) => buildWorkCard(entry, kind, own, recheck));
  const acknowledgements = open.flatMap(({ entries, kind }) => build(entries.filter(isAcknowledgement), kind));
  return [
    ...(step.canWait && open.length > 0 ? [buildText(`This can wait until step ${step.number - 1} is done.`)] : []),
    ...open.flatMap(({ heading, kind, entries }) => {
      const work = entries.filter((entry) => !isAcknowledgement(entry));
      return work.length === 0 ? [] : [{ ...buildSection(heading, build(work, kind)), tone: kind }];
    }),
    ...(acknowledgements.length === 0 ? [] : [buildSection("Acknowledgements", acknowledgements)]),
    ...groups.flatMap(({ kind, entries }) =>
      kind === "accepted" ? buildListSection("Accepted", entries.map(buildAccepted)) : [],
    ),
  ];
}

/** A risk as work, with the command that shows that it is done. */
function buildWorkCard(entry: RiskEntry, tone: Card["tone"], { checks }: Report, recheck: string): Card {
  const { check = "" } = entry.risk;
  const isLimited = checks.some(({ id, omittedFindings }) => id === check && omittedFindings !== undefined);
  const done = `${recheck} --only ${check} --fail-on risk`;
  return { ...buildRiskCard(entry, tone, isLimited, {}), task: { done, list: `${done} -o json` } };
}

/** An accepted risk: why, and until when. */
function buildAccepted({ risk, acceptances }: RiskEntry): Item {
  return { lead: risk.name, text: `${risk.description} ${formatAcceptances(acceptances, "Accepted by a flag")}` };
}

function isAcknowledgement({ risk }: RiskEntry): boolean {
  return risk.check === ACKNOWLEDGEMENTS;
}

function buildUnknowns({ own, repeatedChecks }: CheckedStep, recheck: string): readonly Block[] {
  const items = listUnseen(own);
  const ids = listIncompleteChecks(own);
  const remedy = buildText([
    { own: "Grant the rights that " },
    { code: "preflight rbac" },
    { own: " prints, or fix what is named, then: " },
    { code: `${recheck} --only ${ids.join(",")} --fail-on risk -o json` },
  ]);
  const blocks = [...buildTasks(items), ...(ids.length === 0 ? [] : [remedy])];
  return [
    ...(items.length === 0 ? [] : [buildSection("Could not be checked", blocks)]),
    ...(repeatedChecks === "" ? [] : [buildText(`Could not be checked in an earlier step either: ${repeatedChecks}.`)]),
  ];
}

function buildUpdate({ number, planned, before, target }: StepView, plan: Plan): readonly Block[] {
  if (getPlatform(plan.route.source) === "kubernetes")
    return buildTasks([buildTask(`Update the cluster to ${target} as its distribution describes.`)]);
  if (plan.isHosted === true) return buildTasks(listHostedStarts(planned, before));
  const pools = number === 1 ? (plan.controlPlaneOnly?.pools ?? []) : [];
  const pause = "If the nodes are to skip the minor between, pause their pools:";
  return buildTasks([
    ...(pools.length === 0 ? [] : [buildTask(pause, ...buildPauseCommands(pools, true))]),
    ...listStarts(planned, before),
  ]);
}

function buildAfter(
  { target }: StepView,
  next: StepView | undefined,
  { plan, recheck }: PlaybookView,
): readonly Block[] {
  const isLast = next === undefined;
  const pools = plan.controlPlaneOnly?.pools ?? [];
  const resume = "Resume the pools that were paused, and wait for their nodes:";
  const arePaused = pools.length > 0 && !isLast;
  const checks =
    plan.isHosted === true
      ? listHostedChecksAfter(target)
      : listChecksAfter(getPlatform(plan.route.source), target, arePaused);
  return [
    ...buildTasks([
      ...(isLast && pools.length > 0 ? [buildTask(resume, ...buildPauseCommands(pools, false))] : []),
      ...checks,
    ]),
    ...(next?.result.kind === "checked" ? buildPending(next.result) : []),
    ...buildTasks(isLast ? [] : [buildTask("Check the rest of the way again:", recheck)]),
  ];
}

function buildPending(result: CheckedStep): readonly Block[] {
  if (result.pending.length === 0) return [];
  return [buildText("These checks of the next step have a verdict only now:"), listPending(result)];
}

/** How an update is started: the channel first, if the cluster is not subscribed to it. */
function listStarts({ step, channel }: PlannedStep, before: PlannedStep | undefined): readonly Item[] {
  const needsChannel = channel !== undefined && channel !== before?.channel;
  return [
    ...(needsChannel
      ? [buildTask("Select the channel that has the release:", `oc adm upgrade channel ${channel}`)]
      : []),
    buildTask("Start the update:", buildStartCommand(step)),
  ];
}

/** As the managed service does it, or on the management cluster: the control plane first, and then its nodes. */
function listHostedStarts({ step, channel }: PlannedStep, before: PlannedStep | undefined): readonly Item[] {
  const release = { release: { image: findImage(step) } };
  const needsChannel = channel !== undefined && channel !== before?.channel;
  return [
    ...(needsChannel
      ? [
          buildTask(
            "On the management cluster, select the channel that has the release:",
            buildHostedChange("hostedcluster", { channel }),
          ),
        ]
      : []),
    buildTask(
      "On the management cluster, start the update of the control plane (a managed service has a command of its own, such as rosa upgrade cluster):",
      buildHostedChange("hostedcluster", release),
    ),
    buildTask(
      "Once the control plane has the release, update each NodePool (rosa upgrade machinepool), which replaces or updates its nodes:",
      buildHostedChange("nodepool", release),
    ),
  ];
}

function listHostedChecksAfter(target: string): readonly Item[] {
  return [
    buildTask(
      `On the management cluster, the HostedCluster shows ${target} as completed, and so does each NodePool:`,
      "oc -n <namespace> get hostedclusters,nodepools",
    ),
    buildTask(`ClusterVersion shows ${target}, AVAILABLE and no longer PROGRESSING:`, "oc get clusterversion"),
    buildTask("Every cluster operator is AVAILABLE, and none PROGRESSING or DEGRADED:", "oc get clusteroperators"),
    buildTask("Every node is Ready, with the new kubelet:", "oc get nodes"),
  ];
}

/** An image by digest. A graph of others may write anything in its place, and a shell would run it. */
const PULL_SPEC = /^\w[\w.:/-]*@sha256:[0-9a-f]{64}$/;

/** What the update service does not recommend needs a flag that says so; what it does not list, its image. */
function buildStartCommand({ to, recommendation }: RouteStep): string {
  const target = formatStepTarget(to);
  if (to.kind === "minor") return `oc adm upgrade --to=<a ${target} release>`;
  if (recommendation.kind === "conditional" && !isRecommended(recommendation))
    return `oc adm upgrade --allow-not-recommended --to=${target}`;
  if (recommendation.kind === "recommended" || recommendation.kind === "conditional")
    return `oc adm upgrade --to=${target}`;
  return recommendation.kind === "notOffered"
    ? `oc adm upgrade --allow-explicit-upgrade --to-image=${findImage({ to })}`
    : `oc adm upgrade --to=${target}`;
}

/** The release's image, or what stands for it. */
function findImage({ to }: Pick<RouteStep, "to">): string {
  const image = to.kind === "minor" ? undefined : to.image;
  return image !== undefined && PULL_SPEC.test(image) ? image : `<image of ${formatStepTarget(to)} by digest>`;
}

/** What is to be looked at once the update is done. */
function listChecksAfter(platform: Platform, target: string, arePoolsPaused: boolean): readonly Item[] {
  if (platform === "kubernetes")
    return [
      buildTask(`The API server runs ${target}:`, "kubectl version"),
      buildTask("Every node is Ready, with the new kubelet:", "kubectl get nodes"),
    ];
  const pools = arePoolsPaused
    ? "The pool master is UPDATED and not DEGRADED; paused pools are not UPDATED yet:"
    : "Every machine config pool is UPDATED and none DEGRADED:";
  return [
    buildTask(`ClusterVersion shows ${target}, AVAILABLE and no longer PROGRESSING:`, "oc get clusterversion"),
    buildTask("Every cluster operator is AVAILABLE, and none PROGRESSING or DEGRADED:", "oc get clusteroperators"),
    buildTask(pools, "oc get machineconfigpools"),
    buildTask("Every node is Ready:", "oc get nodes"),
  ];
}

/** Something to do, with the commands that do it. */
function buildTask(text: string, ...commands: readonly string[]): Item {
  return commands.length === 0 ? { text: [{ own: text }] } : { text: [{ own: text }], commands };
}

function buildTasks(items: readonly Item[]): readonly Block[] {
  return items.length === 0 ? [] : [{ kind: "list", isToDo: true, items }];
}
