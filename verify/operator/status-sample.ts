import type { DocumentRisk, PreflightDocument } from "../../src/model/document.ts";
import { type Json, type JsonObject, listAt, textAt } from "../../src/model/json.ts";
import type { GatedFields } from "../../src/lift/objects/gated-fields.ts";
import { type LiftInput, type LiftResult, lift } from "../../src/lift/lift.ts";
import { deepFreeze } from "../../src/cases/runner.ts";

export const NOW = new Date("2026-03-01T12:00:00Z");
export const ALL_FIELDS: GatedFields = {
  mode: true,
  acceptRisks: true,
  conditionalUpdateRisks: true,
  riskNames: true,
  riskConditions: true,
};

/** The lists of updates are what the operator retrieved, so that a version that they lack is not offered. */
export const RETRIEVED: JsonObject = {
  type: "RetrievedUpdates",
  status: "True",
  reason: "AsExpected",
  message: "",
  lastTransitionTime: "2025-12-01T01:00:00Z",
};

export function imageOf(version: string): string {
  const digit = [...version].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 16, 7);
  return `registry.example/release@sha256:${digit.toString(16).repeat(64)}`;
}

export function release(version: string): JsonObject {
  return { version, image: imageOf(version), url: `https://example.com/${version}` };
}

/** A risk of the update service whose query the operator has evaluated. */
export function foreign(name: string, status: "True" | "False" = "True"): JsonObject {
  return {
    name,
    message: `${name} hurts.`,
    url: `https://example.com/${name}`,
    matchingRules: [{ type: "PromQL", promql: { promql: "vector(1)" } }],
    conditions: [
      {
        type: "Applies",
        status,
        reason: status === "True" ? "Match" : "NotMatch",
        message: "",
        lastTransitionTime: "2026-01-01T00:00:00Z",
      },
    ],
  };
}

export function conditional(version: string, risks: readonly JsonObject[], recommended: JsonObject): JsonObject {
  return {
    release: release(version),
    riskNames: risks.map((risk) => textAt(risk, "name") ?? ""),
    risks,
    conditions: [{ type: "Recommended", lastTransitionTime: "2026-01-01T00:00:00Z", ...recommended }],
  };
}

export type ClusterVersionOptions = {
  readonly available?: readonly JsonObject[];
  readonly conditional?: readonly JsonObject[];
  readonly union?: readonly JsonObject[];
  readonly conditions?: readonly JsonObject[];
  readonly accepted?: readonly string[];
  readonly source?: string;
};

export function clusterVersion(of: ClusterVersionOptions = {}): JsonObject {
  const {
    available = [release("5.2.0")],
    conditional: updates = [],
    union = [],
    conditions = [],
    source = "5.0.3",
  } = of;
  const accepted = (of.accepted ?? []).map((name) => ({ name }));
  return deepFreeze<JsonObject>({
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version", resourceVersion: "41", generation: 3 },
    spec: {
      clusterID: "0f9c0d2b-3f4c-4b53-8b1e-7d8a3b0a3f11",
      ...(accepted.length > 0 ? { desiredUpdate: { acceptRisks: accepted } } : {}),
    },
    status: {
      desired: release(source),
      observedGeneration: 3,
      versionHash: "abc",
      history: [
        {
          state: "Completed",
          version: source,
          image: imageOf(source),
          startedTime: "2025-12-01T00:00:00Z",
          completionTime: "2025-12-01T01:00:00Z",
          verified: true,
        },
      ],
      availableUpdates: available.length > 0 ? available : null,
      ...(updates.length > 0 ? { conditionalUpdates: updates } : {}),
      ...(union.length > 0 ? { conditionalUpdateRisks: union } : {}),
      ...(conditions.length > 0 ? { conditions } : {}),
    },
  });
}

export function risk(name: string, options: { readonly blind?: boolean; readonly since?: string } = {}): DocumentRisk {
  return {
    name,
    message: `${name} is wrong on this cluster. Set it right.`,
    url: `https://example.com/risks/${name}`,
    targetVersion: "5.2.0",
    matchingRules: [{ type: "Always" }],
    conditions: [
      {
        type: "Applies",
        status: "True",
        reason: options.blind === true ? "PreflightPartial" : "PreflightValidation",
        message: "A check found this.",
        lastTransitionTime: options.since ?? "2026-02-01T00:00:00Z",
      },
    ],
  };
}

export function buildSampleDocument(
  risks: readonly DocumentRisk[],
  change: Partial<PreflightDocument> = {},
): PreflightDocument {
  return {
    format: "preflight-v1-json",
    preflightID: "2026-03-01T11:00:00Z-preflight-5.2.0",
    targetVersion: "5.2.0",
    executionStatus: "completed",
    risks,
    sourceVersion: "5.0.3",
    complete: true,
    checks: [{ id: "sample", outcome: risks.length > 0 ? "risk" : "clear" }],
    observedAt: "2026-03-01T11:55:00Z",
    validUntil: "2026-03-01T12:10:00Z",
    ...change,
  };
}

export type LiftOptions = Partial<LiftInput> & { readonly document?: PreflightDocument };

/** Lifts a document about 5.2.0 whose runner has been up for an hour. */
export function liftSample({ document, ...change }: LiftOptions = {}): LiftResult {
  return lift(
    deepFreeze<LiftInput>({
      clusterVersion: clusterVersion(),
      fields: ALL_FIELDS,
      preflight: {
        target: { kind: "version", version: "5.2.0" },
        runner: { kind: "up", since: new Date("2026-03-01T11:00:00Z") },
        document: document ? { kind: "read", document } : { kind: "missing" },
      },
      now: NOW,
      ...change,
    }),
  );
}

/** ClusterVersion after the status was written. */
export function withStatus(before: JsonObject, { status }: LiftResult): JsonObject {
  return { ...before, status };
}

export function findUpdate(status: JsonObject, version: string): Json | undefined {
  return listAt(status, "conditionalUpdates").find((update) => textAt(update, "release", "version") === version);
}

export function listVersions(status: JsonObject, list: "availableUpdates" | "conditionalUpdates"): readonly string[] {
  return listAt(status, list).map((one) => textAt(one, "version") ?? textAt(one, "release", "version") ?? "");
}

/** "PreflightCompleted=True RisksFound" */
export function formatConditions({ conditions }: LiftResult): readonly string[] {
  return conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`);
}

/** "Recommended=False CgroupV1Removed" */
export function formatRecommended(status: JsonObject, version: string): string {
  const condition = listAt(findUpdate(status, version), "conditions").find(
    (one) => textAt(one, "type") === "Recommended",
  );
  return `${textAt(condition, "status") ?? "-"} ${textAt(condition, "reason") ?? "-"}`;
}
