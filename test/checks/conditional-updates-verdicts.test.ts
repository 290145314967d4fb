import assert from "node:assert/strict";
import { test } from "node:test";
import { keepOffers, type Offers, findPublishedRisks } from "../../src/checks/conditional-updates/published-risks.ts";
import { judgeRisks, listOpenExpressions } from "../../src/checks/conditional-updates/check.ts";
import { buildContext } from "../../src/model/check.ts";
import type { EvaluatedRisk } from "../../src/model/cluster-version-risks.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { PublishedRisk } from "../../src/model/route.ts";
import { type CoveredRisk, type SpecialContext, withSpecial } from "../../src/model/special-check.ts";
import { release, version } from "../support/fixtures.ts";
import { present } from "../support/present.ts";

const BASE = buildContext(version("4.18.5"), release("4.19.2"), new Date(0));
const QUERY = { type: "PromQL", promql: { promql: "up" } };
const RISK: PublishedRisk = { name: "Slow", message: 'It is "slow".', url: "https://a.b", matchingRules: [QUERY] };
const TEXT = "\"It is 'slow'\" (https://a.b)";
const NONE: Offers = keepOffers({});

function listed(more: Partial<EvaluatedRisk> = {}): EvaluatedRisk {
  return { ...RISK, version: "4.19.2", applies: "unknown", isOfOperator: false, ...more };
}

function judge(offers: Partial<Offers>, more: Partial<SpecialContext> = {}, risk = RISK, value = 1): string {
  const evidence = { offers: { ...NONE, ...offers }, answers: () => ({ kind: "vector", values: [value] }) as const };
  const context = withSpecial(BASE, more);
  const {
    findings = [],
    notices = [],
    unknowns = [],
  } = judgeRisks({ kind: "published", risks: [risk], unpublished: [] }, evidence, context);
  return [...findings, ...unknowns]
    .map(({ message }) => message)
    .concat(notices)
    .join("|");
}

test("the operator's evaluation counts before the rules are evaluated", () => {
  const always = { ...RISK, matchingRules: [{ type: "Always" }] };
  const publishes = "The update service publishes the risk Slow for 4.19.2, but";
  const evaluated = (applies: EvaluatedRisk["applies"], risk = RISK) => ({
    evaluatedRisks: [listed({ ...risk, applies })],
  });
  const table: readonly (readonly [text: string, expected: string])[] = [
    [judge(evaluated("yes"), {}, RISK, 0), `The cluster-version operator evaluates Slow as applying: ${TEXT}.`],
    [
      judge(evaluated("no")),
      `${publishes} the cluster-version operator evaluates it as not applying to this cluster: ${TEXT}.`,
    ],
    [judge(evaluated("no", always), {}, always), `The update service publishes Slow for every cluster: ${TEXT}.`],
    [judge({}), `The cluster's monitoring evaluates Slow as applying: ${TEXT}.`],
    [
      judge({}, {}, RISK, 0),
      `${publishes} the cluster's monitoring evaluates it as not applying to this cluster: ${TEXT}.`,
    ],
    [
      judge({}, {}, RISK, 2),
      `the cluster-version operator has not evaluated whether it applies, and the cluster's monitoring gives its rule the value 2, neither 0 nor 1: ${TEXT}`,
    ],
    [
      judge({ acceptedNames: ["Slow"] }),
      `${publishes} an administrator has accepted it (spec.desiredUpdate.acceptRisks): ${TEXT}.`,
    ],
    [judge({ acceptedNames: ["Other"] }, {}, always), `The update service publishes Slow for every cluster: ${TEXT}.`],
  ];
  for (const [text, expected] of table) assert.equal(text, expected);
});

test("a risk that another check decides is left to it", () => {
  const covered = (more: Partial<CoveredRisk>): Partial<SpecialContext> => ({
    coveredRisks: [{ name: "Slow", check: "speed", source: "published", ...more }],
  });
  const always = { ...RISK, matchingRules: [{ type: "Always" }] };
  const decides =
    "The check speed decides it from this cluster's objects: it concerns the cluster if TooSlow is reported.";
  const evaluated = (applies: EvaluatedRisk["applies"]) => ({ evaluatedRisks: [listed({ applies })] });
  const start = "The update service publishes Slow";
  const table: readonly (readonly [text: string, expected: string])[] = [
    [
      judge({}, covered({ risk: "TooSlow" })),
      `${start} and the cluster-version operator has not evaluated it. ${decides}`,
    ],
    [
      judge(evaluated("yes"), covered({ risk: "TooSlow" })),
      `${start} and the cluster-version operator evaluates it as applying to this one. ${decides}`,
    ],
    [
      judge(evaluated("no"), covered({ risk: "TooSlow" })),
      `${start} and the cluster-version operator evaluates it as not applying to this cluster. ${decides}`,
    ],
    [judge({}, covered({ risk: "TooSlow" }), always), `${start} for every cluster. ${decides}`],
    [
      judge({}, covered({ hasNotice: false }), always),
      `${start} for every cluster. The check speed found that it can't concern this cluster.`,
    ],
    [judge({}, covered({ hasNotice: true })), `The cluster's monitoring evaluates Slow as applying: ${TEXT}.`],
    [judge({}, covered({})), `The cluster's monitoring evaluates Slow as applying: ${TEXT}.`],
    [
      judge({}, covered({ name: "Slower", risk: "TooSlow" })),
      `The cluster's monitoring evaluates Slow as applying: ${TEXT}.`,
    ],
  ];
  for (const [text, expected] of table) assert.equal(text, expected);
  const family = { ...RISK, name: "Family-a" };
  for (const [name, isCovered] of [
    ["Family-*", true],
    ["Family-<gate>", true],
    ["Family-", false],
    ["My-Family-*", false],
    ["Family-b", false],
  ] as const)
    assert.equal(judge({}, covered({ name, risk: "TooSlow" }), family).includes("The check speed"), isCovered, name);
});

test("asks only for the rules that nobody has decided", () => {
  const open = (coveredRisks: readonly CoveredRisk[], offers: Partial<Offers> = {}) =>
    listOpenExpressions(
      { kind: "published", risks: [RISK, { ...RISK, name: "B" }], unpublished: [] },
      { ...NONE, ...offers },
      withSpecial(BASE, { coveredRisks }),
    ).length;
  const cover = (name: string, more: Partial<CoveredRisk> = {}): CoveredRisk => ({
    name,
    check: "speed",
    source: "published",
    ...more,
  });
  assert.equal(open([]), 1);
  assert.equal(open([cover("Slow", { risk: "A" })]), 1);
  assert.equal(open([cover("Slow", { risk: "A" }), cover("B", { risk: "A" })]), 0);
  assert.equal(open([cover("Slow"), cover("B", { risk: "A" })]), 1);
  assert.equal(open([cover("Slow", { risk: "A", source: "operator" }), cover("B", { risk: "A" })]), 1);
  assert.equal(open([cover("Slow"), cover("Slow", { risk: "A" }), cover("B", { risk: "A" })]), 0);
  assert.equal(open([cover("B", { risk: "A" })], { evaluatedRisks: [listed({ applies: "no" })] }), 0);
});

test("finds what is published where the target was looked up, or else in ClusterVersion", () => {
  const own = listed({ name: "Own", isOfOperator: true });
  const evaluatedRisks = [listed(), own, listed({ name: "Later", version: "4.19.3" })];
  const find = (more: Partial<SpecialContext>, offers: Partial<Offers> = {}) => {
    const found = findPublishedRisks({ ...NONE, evaluatedRisks, ...offers }, withSpecial(BASE, more));
    if (found.kind === "unknown") return `${found.unknown.reason}: ${found.unknown.message}`;
    return found.kind === "none"
      ? found.reason
      : [found.risks, found.unpublished].map((all) => all.map(({ name }) => name).join()).join("; ");
  };
  const conditional = (...risks: readonly PublishedRisk[]) =>
    ({ recommendation: { kind: "conditional", exposure: "notEvaluated", risks } }) as const;
  const recommended = { recommendation: { kind: "recommended" } } as const;
  const notOffered = { recommendation: { kind: "notOffered" } } as const;
  const unknown = {};
  const none = (why: string) => `${why}, so ClusterVersion lists no published risks of this update.`;
  const retrieved: Partial<Offers> = { channel: "a", retrieval: { kind: "retrieved" } };
  const failed = (failure: string): Partial<Offers> => ({
    channel: "a",
    retrieval: { kind: "unknown", why: "Why not", failure },
  });
  const table: readonly (readonly [text: string, expected: string])[] = [
    [find(conditional(RISK)), "Slow,Own; "],
    [find(conditional({ ...RISK, name: "A" })), "A,Own; Slow"],
    [find(recommended), "Own; Slow"],
    [
      find({ ...recommended, running: version("4.17.1") }),
      "The update service publishes no risks of the update from 4.18.5 to 4.19.2.",
    ],
    [
      find(notOffered),
      "The update service offers no update from 4.18.5 to 4.19.2, so it publishes no risks of this update.",
    ],
    [find(notOffered, { conditional: ["4.19.2"] }), "Slow,Own; "],
    [find(notOffered, { available: ["4.19.2"] }), "Slow,Own; "],
    [find(unknown), none("Without a channel, the cluster asks no update service")],
    [
      find(unknown, { ...retrieved, available: ["4.19.3"] }),
      none("The update service does not offer 4.19.2 to this cluster in the channel a"),
    ],
    [
      find(unknown, failed("VersionNotFound")),
      none("The update service offers no update from 4.18.5 in the channel a"),
    ],
    [
      find(unknown, failed("RemoteFailed")),
      'NotReported: Why not, so the risks published for 4.19.2 are not known; "preflight check --graph FILE" reads them from an update graph',
    ],
    [find(unknown, { ...failed("RemoteFailed"), available: ["4.19.2"] }), "Slow,Own; "],
    [find(unknown, { available: ["4.19.2"] }), "Slow,Own; "],
  ];
  for (const [text, expected] of table) assert.equal(text, expected);
});

test("keeps the updates that ClusterVersion offers, and what was accepted", () => {
  const retrieved = (status: string, more: JsonObject = {}) => ({
    conditions: [{ type: "RetrievedUpdates", status, ...more }],
  });
  const status: JsonObject = {
    availableUpdates: [{ version: "4.19.1" }, {}],
    conditionalUpdates: [{ release: { version: "4.19.2" } }, {}],
  };
  const kept = keepOffers({ spec: { channel: "a", desiredUpdate: { acceptRisks: [{ name: "Slow" }, {}] } }, status });
  const { available, conditional, acceptedNames, channel } = kept;
  assert.deepEqual([available, conditional, acceptedNames, channel], [["4.19.1"], ["4.19.2", ""], ["Slow"], "a"]);
  const states = [retrieved("False", { reason: "Why" }), retrieved("False"), retrieved("True", { reason: "Why" }), {}];
  const why = (reason: string): string =>
    `the cluster-version operator could not retrieve the updates (RetrievedUpdates=False${reason})`;
  assert.deepEqual(present(states.map((one) => keepOffers({ status: one }).retrieval)), [
    { kind: "unknown", why: why(", Why"), failure: "Why" },
    { kind: "unknown", why: why(""), failure: "" },
    { kind: "retrieved" },
    { kind: "unknown", why: "ClusterVersion has no condition RetrievedUpdates" },
  ]);
});
