import type { DocumentRisk, PreflightDocument } from "../../../src/model/document.ts";
import { type JsonObject, compareText, textAt } from "../../../src/model/json.ts";
import type { GatedFields } from "../../../src/lift/objects/gated-fields.ts";
import type { PreflightInput } from "../../../src/lift/lift.ts";
import type { DocumentState, RunnerState } from "../../../src/lift/progress/runner-state.ts";
import type { Random } from "../../../verify/schema/random/random.ts";
import {
  clusterVersion,
  conditional,
  buildSampleDocument,
  foreign,
  NOW,
  release,
  risk,
} from "../../../verify/operator/status-sample.ts";

const VERSIONS = ["5.0.4", "5.1.0", "5.2.0", "5.2.0-rc.1", "5.10.2"] as const;
const NAMES = [
  "Alpha",
  "Beta",
  "Gamma",
  "Theirs",
  "Zulu",
  "AdminAck-ack-5.1",
  "ClusterOperatorUpgradeable-etcd",
] as const;

/** A cluster as an operator may leave it: offered updates, risks of other sources, accepted risks. */
export function someCluster(random: Random, fields: GatedFields): JsonObject {
  const versions = VERSIONS.filter(() => random.chance(0.6));
  const risky = versions.filter(() => random.chance(0.4));
  const updates = risky.map((version) => someUpdate(random, version, fields));
  const risks = new Map(updates.flatMap(({ risks: all }) => all).map((one) => [textAt(one, "name") ?? "", one]));
  const accepted = NAMES.filter(() => fields.acceptRisks && random.chance(0.2));
  return clusterVersion({
    available: versions.filter((version) => !risky.includes(version)).map(release),
    conditional: updates.map(({ update }) => update),
    union: fields.conditionalUpdateRisks
      ? [...risks].toSorted(([a], [b]) => compareText(a, b)).map(([, one]) => one)
      : [],
    accepted,
  });
}

function someUpdate(
  random: Random,
  version: string,
  fields: GatedFields,
): { readonly update: JsonObject; readonly risks: readonly JsonObject[] } {
  const few = NAMES.filter(() => random.chance(0.3)).map((name) => foreign(name, random.pick(["True", "False"])));
  const crowd = random.chance(0.02) ? Array.from({ length: 195 }, (_, i) => foreign(`Crowd${i}`)) : [];
  const risks = few.length + crowd.length === 0 ? [foreign("Theirs")] : [...few, ...crowd];
  const { riskNames, ...update } = conditional(
    version,
    risks.map((one) => shaped(one, fields)),
    {
      status: random.pick(["True", "False", "Unknown"]),
      reason: "MultipleReasons",
      message: "As the operator said.",
    },
  );
  return { update: fields.riskNames ? { ...update, riskNames: riskNames ?? [] } : update, risks };
}

function shaped(one: JsonObject, fields: GatedFields): JsonObject {
  const { conditions, ...definition } = one;
  return fields.riskConditions ? { ...definition, conditions: conditions ?? [] } : definition;
}

export function somePreflight(random: Random): PreflightInput | undefined {
  if (random.chance(0.05)) return undefined;
  const version = random.pick(VERSIONS);
  return { target: { kind: "version", version }, runner: someRunner(random), document: someState(random, version) };
}

function someRunner(random: Random): RunnerState {
  const since = new Date(NOW.getTime() - random.below(3_600_000));
  const failure = { kind: "down", reason: "OutOfMemory", message: "x".repeat(random.below(40_000)) } as const;
  return random.pick<RunnerState>([
    { kind: "stopped" },
    { kind: "waiting", notBefore: NOW },
    { kind: "starting", since },
    { kind: "up", since },
    { kind: "up", since },
    failure,
    { kind: "restarted", current: { kind: "up", since }, failure, failedAt: since },
  ]);
}

function someState(random: Random, version: string): DocumentState {
  const document = someDocument(random, version);
  return random.pick<DocumentState>([
    { kind: "missing" },
    { kind: "invalid", problems: ["document: is empty"] },
    { kind: "unreadable", message: "Input/output error" },
    { kind: "read", document },
    { kind: "read", document },
    { kind: "read", document },
    { kind: "read", document },
  ]);
}

function someDocument(random: Random, version: string): PreflightDocument {
  const named = NAMES.filter((name) => /^[A-Za-z]+$/.test(name) && random.chance(0.4));
  const crowd = random.chance(0.1) ? Array.from({ length: 40 }, (_, i) => `Ours${i}`) : [];
  return buildSampleDocument(
    [...named, ...crowd].toSorted(compareText).map((name) => someRisk(random, name, version)),
    {
      targetVersion: random.chance(0.9) ? version : "5.1.0",
      sourceVersion: random.chance(0.9) ? "5.0.3" : "5.0.2",
      executionStatus: random.pick(["completed", "completed", "completed", "running", "failed"]),
      validUntil: random.chance(0.9) ? "2026-03-01T12:10:00Z" : "2026-03-01T11:00:00Z",
      complete: random.chance(0.7),
    },
  );
}

function someRisk(random: Random, name: string, targetVersion: string): DocumentRisk {
  const { conditions, ...plain } = risk(name, { blind: random.chance(0.2) });
  const message = random.chance(0.1) ? "é😀\n".repeat(300) : plain.message;
  const told = { ...plain, message, targetVersion };
  return conditions && random.chance(0.8) ? { ...told, conditions } : told;
}
