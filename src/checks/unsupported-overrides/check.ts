import { type Context, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import type { Get, GetResult, ReadResults } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { leavesMinor, formatMinor } from "../../model/version.ts";
import { OPERATORS, type OperatorConfig, type OperatorKind, buildRead } from "./operator-config.ts";
import { formatKeys, risks } from "./risks.ts";

/** By kind. */
type ConfigReads = Readonly<Record<string, Get<OperatorConfig>>>;

export default defineCheck({
  id: "unsupported-overrides",
  name: "ConfigOverridesUnsupported",
  title: "No operator runs with unsupported configuration overrides",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor"] },
  reads: () => ({}),
  mayRead: buildConfigReads,
  // Follow-up reads, so that one that fails doesn't hide the others.
  follow: (_, context) => (leavesMinor(context) ? buildConfigReads() : {}),
  evaluate: (_, context, configs) =>
    leavesMinor(context)
      ? judge(configs, context)
      : { notApplicable: `Overrides don't block updates within ${formatMinor(context.source)}.` },
});

function buildConfigReads(): ConfigReads {
  return Object.fromEntries(OPERATORS.map((operator) => [operator.kind, buildRead(operator)]));
}

function judge(configs: Partial<ReadResults<ConfigReads>>, context: Context): Judgement {
  const results = OPERATORS.flatMap(({ kind }) => configs[kind] ?? []);
  if (results.length === OPERATORS.length && results.every(({ kind }) => kind === "absent"))
    return { notApplicable: "The cluster has none of the operators' configurations (operator.openshift.io/v1)." };
  const overridden = OPERATORS.flatMap((operator) => selectOverridden(operator, configs[operator.kind]));
  return {
    findings: overridden.filter(isBlocking).map(buildFinding),
    notices: overridden.filter((one) => !isBlocking(one)).map((one) => buildNotice(one, context)),
  };
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
  if (operator.isIgnoring) return false;
  return !config.isIdle || config.upgradeableStatus === "False";
}

function buildFinding({ operator, keys }: OverriddenConfig): Finding {
  return {
    risk: risks.OperatorConfigOverridesUnsupported.name,
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
