import { type Context, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import type { Get, GetResult, ReadResults } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { leavesMinor, formatMinor } from "../../model/version.ts";
import { OPERATORS, type OperatorConfig, type OperatorKind, buildRead } from "./operator-config.ts";
import { formatKeys, operatorConfigOverridesUnsupported } from "./risks.ts";

/** By plural. */
type ConfigReads = Readonly<Record<string, Get<OperatorConfig>>>;

export default defineCheck({
  id: "unsupported-overrides",
  name: "ConfigOverridesUnsupported",
  title: "No operator runs with unsupported configuration overrides",
  risks: [operatorConfigOverridesUnsupported],
  applies: { kind: "updates", kinds: ["patch", "minor"] },
  reads: () => ({}),
  mayRead: buildConfigReads,
  // Follow-up reads, so that one that fails doesn't hide the others.
  follow: (_, context) => (leavesMinor(context) ? buildConfigReads() : {}),
  evaluate: (_, context, configs) => (leavesMinor(context) ? judge(configs, context) : judgeWithinMinor(context)),
});

function buildConfigReads(): ConfigReads {
  return Object.fromEntries(OPERATORS.map((operator) => [operator.plural, buildRead(operator)]));
}

function judgeWithinMinor({ source }: Context): Judgement {
  return { notApplicable: `Overrides don't block updates within ${formatMinor(source)}.` };
}

function judge(configs: Partial<ReadResults<ConfigReads>>, context: Context): Judgement {
  const results = OPERATORS.flatMap(({ plural }) => configs[plural] ?? []);
  if (results.length === OPERATORS.length && results.every(({ kind }) => kind === "absent")) return judgeNoneServed();
  const overridden = OPERATORS.flatMap((operator) => selectOverridden(operator, configs[operator.plural]));
  return {
    findings: overridden.filter(isBlocking).map(buildFinding),
    notices: overridden.filter((one) => !isBlocking(one)).map((one) => buildNotice(one, context)),
  };
}

function judgeNoneServed(): Judgement {
  return { notApplicable: "The cluster has none of the operators' configurations (operator.openshift.io/v1)." };
}

type OverriddenConfig = {
  readonly operator: OperatorKind;
  readonly keys: readonly string[];
  readonly config: OperatorConfig;
};

function selectOverridden(
  operator: OperatorKind,
  result: GetResult<OperatorConfig> | undefined,
): readonly OverriddenConfig[] {
  if (result?.kind !== "found" || result.value.keys === undefined) return [];
  return [{ operator, keys: result.value.keys, config: result.value }];
}

function isBlocking({ operator, config }: OverriddenConfig): boolean {
  if (operator.overrides === "ignore") return false;
  return !config.isIdle || config.upgradeableStatus === "False";
}

function buildFinding({ operator, keys }: OverriddenConfig): Finding {
  return {
    risk: operatorConfigOverridesUnsupported.name,
    object: buildRef(operator),
    message: `Its spec.unsupportedConfigOverrides is set (${formatKeys(keys)}).`,
    detail: { clusterOperator: operator.clusterOperator, keys: keys.join(" ") },
  };
}

function buildNotice({ operator, keys }: OverriddenConfig, { target }: Context): string {
  return `${operator.kind} cluster has spec.unsupportedConfigOverrides (${formatKeys(keys)}). Its operator doesn't block the update, but nobody has tested these settings with ${target.text}.`;
}

function buildRef({ kind }: OperatorKind): ObjectRef {
  return { apiVersion: "operator.openshift.io/v1", kind, name: "cluster" };
}
