import { type Context, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import type { Get, Got, Values } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { leavesMinor, minorText } from "../../model/version.ts";
import { someKeys } from "./keys.ts";
import { OPERATORS, type OperatorConfig, type OperatorKind, readOf } from "./operators.ts";
import { unsupportedOverrides } from "./risks.ts";

type Nothing = Readonly<Record<string, never>>;
/** By plural. */
type Configs = Readonly<Record<string, Get<OperatorConfig>>>;

export default defineCheck<Nothing, Configs>({
  id: "unsupported-overrides",
  name: "ConfigOverridesUnsupported",
  title: "No operator runs with unsupported configuration overrides",
  risks: [unsupportedOverrides],
  applies: { kind: "updates", kinds: ["patch", "minor"] },
  needsManifests: false,
  reads: () => ({}),
  mayRead: configReads,
  // Read as what follows, so that one that can't be read doesn't hide the others.
  follow: (_, context) => (leavesMinor(context) ? configReads() : {}),
  evaluate: (_, context, configs) => (leavesMinor(context) ? judge(configs, context) : withinMinor(context)),
});

function configReads(): Configs {
  return Object.fromEntries(OPERATORS.map((operator) => [operator.plural, readOf(operator)]));
}

function withinMinor({ source }: Context): Judgement {
  return { notApplicable: `Overrides don't forbid updates within ${minorText(source)}.` };
}

function judge(configs: Partial<Values<Configs>>, context: Context): Judgement {
  const read = OPERATORS.flatMap(({ plural }) => configs[plural] ?? []);
  if (read.length === OPERATORS.length && read.every(({ kind }) => kind === "absent")) return noneServed();
  const set = OPERATORS.flatMap((operator) => setIn(operator, configs[operator.plural]));
  return {
    findings: set.filter(blocks).map(findingOf),
    notices: set.filter((one) => !blocks(one)).map((one) => notice(one, context)),
  };
}

function noneServed(): Judgement {
  return { notApplicable: "The cluster has none of the operators' configurations (operator.openshift.io/v1)." };
}

type Overridden = {
  readonly operator: OperatorKind;
  readonly keys: readonly string[];
  readonly config: OperatorConfig;
};

function setIn(operator: OperatorKind, got: Got<OperatorConfig> | undefined): readonly Overridden[] {
  if (got?.kind !== "found" || got.value.keys === undefined) return [];
  return [{ operator, keys: got.value.keys, config: got.value }];
}

function blocks({ operator, config }: Overridden): boolean {
  if (operator.overrides === "ignore") return false;
  return !config.idle || config.lastWord === "False";
}

function findingOf({ operator, keys }: Overridden): Finding {
  return {
    risk: unsupportedOverrides.name,
    object: refTo(operator),
    message: `Its spec.unsupportedConfigOverrides is set (${someKeys(keys)}).`,
    detail: { clusterOperator: operator.clusterOperator, keys: keys.join(" ") },
  };
}

function notice({ operator, keys }: Overridden, { target }: Context): string {
  return `${operator.kind} cluster has spec.unsupportedConfigOverrides (${someKeys(keys)}): its operator doesn't refuse the update for that, but whether ${target.text} can take it nobody has tested.`;
}

function refTo({ kind }: OperatorKind): ObjectRef {
  return { apiVersion: "operator.openshift.io/v1", kind, name: "cluster" };
}
