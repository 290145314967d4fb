import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { buildInsight } from "../../src/controller/insight/insight.ts";
import { type JsonObject, numberAt } from "../../src/model/json.ts";

const INSTALLED: JsonObject = {
  state: "Completed",
  version: "5.0.8",
  startedTime: "2026-01-01T00:00:00Z",
  completionTime: "2026-01-01T01:00:00Z",
};
const STARTED: JsonObject = { state: "Partial", version: "5.1.0", startedTime: "2026-03-01T10:00:00Z" };
const COMPLETED: JsonObject = { ...STARTED, state: "Completed", completionTime: "2026-03-01T11:00:00Z" };
const SINCE = "2026-03-01T10:00:05Z";

function buildClusterVersion(
  status: string | undefined,
  last: JsonObject | undefined,
  { message = "Said.", failing = false } = {},
): JsonObject {
  const progressing = { type: "Progressing", status: status ?? "", message, lastTransitionTime: SINCE };
  return {
    metadata: { name: "version", creationTimestamp: "2026-01-01T00:00:00Z" },
    status: {
      desired: { version: "5.1.0" },
      history: last === undefined ? [] : [last, INSTALLED],
      conditions: [
        ...(status === undefined ? [] : [progressing]),
        ...(failing ? [{ type: "Failing", status: "True" }] : []),
      ],
    },
  };
}

const STATES: readonly (readonly [
  string | undefined,
  JsonObject | undefined,
  { status: string; assessment: string; message: string; since?: string },
])[] = [
  ["True", STARTED, { status: "True", assessment: "Progressing", message: "ClusterVersion is progressing: Said." }],
  [
    "False",
    COMPLETED,
    { status: "False", assessment: "Completed", message: "ClusterVersion is not progressing: Said." },
  ],
  [
    "False",
    STARTED,
    {
      status: "Unknown",
      assessment: "Unknown",
      message: "ClusterVersion is not progressing, but the newest update of its history is Partial: Said.",
    },
  ],
  [
    "True",
    COMPLETED,
    {
      status: "Unknown",
      assessment: "Unknown",
      message: "ClusterVersion is progressing, but the newest update of its history is Completed: Said.",
      since: "2026-03-01T11:00:00Z",
    },
  ],
  [
    "True",
    { ...STARTED, completionTime: "2026-03-01T11:00:00Z" },
    {
      status: "Unknown",
      assessment: "Unknown",
      message: "ClusterVersion is progressing, but the newest update of its history has a completion time: Said.",
      since: "2026-03-01T11:00:00Z",
    },
  ],
  [
    "False",
    { ...STARTED, state: "Completed" },
    {
      status: "Unknown",
      assessment: "Unknown",
      message: "ClusterVersion is not progressing, but the newest update of its history has no completion time: Said.",
    },
  ],
  ...(["True", "False"] as const).map(
    (status) =>
      [
        status,
        undefined,
        {
          status: "Unknown",
          assessment: "Unknown",
          message: `ClusterVersion is ${status === "True" ? "" : "not "}progressing, but its history is empty: Said.`,
        },
      ] as const,
  ),
  [
    "Unknown",
    STARTED,
    {
      status: "Unknown",
      assessment: "Unknown",
      message: "ClusterVersion has a condition Progressing that is Unknown: Said.",
    },
  ],
  [
    undefined,
    COMPLETED,
    {
      status: "Unknown",
      assessment: "Unknown",
      message: "ClusterVersion does not have the condition Progressing",
      since: "2026-01-01T00:00:00Z",
    },
  ],
];

describe("the status insight", () => {
  for (const [progressing, last, { status, assessment, message, since = SINCE }] of STATES) {
    test(`is ${status} if ${message}`, () => {
      const insight = buildInsight(buildClusterVersion(progressing, last));
      assert.deepEqual(insight.conditions, [
        {
          type: "Updating",
          status,
          reason:
            status === "True"
              ? "ClusterVersionProgressing"
              : status === "False"
                ? "ClusterVersionNotProgressing"
                : "CannotDetermineUpdating",
          message,
          lastTransitionTime: since,
        },
      ]);
      assert.equal(insight.assessment, assessment);
      assert.equal(insight.completion, status === "False" ? 100 : 0);
      assert.equal(insight.completedAt, status === "False" ? "2026-03-01T11:00:00Z" : undefined);
    });
  }

  test("names a version as installed only if its history has that one entry", () => {
    const of = (history: readonly JsonObject[]) =>
      buildInsight({ status: { desired: { version: "5.0.8" }, history } }).versions.target;
    assert.deepEqual(of([]), { version: "5.0.8" });
    assert.deepEqual(of([INSTALLED]), { version: "5.0.8", metadata: [{ key: "Installation" }] });
  });
});

/** The completion after each of these, each with the insight before it. */
function follow(...objects: readonly JsonObject[]): readonly number[] {
  const before: JsonObject[] = [];
  return objects.map((object) => {
    const insight: JsonObject = JSON.parse(JSON.stringify(buildInsight(object, before.at(-1))));
    before.push(insight);
    return numberAt(insight, "completion") ?? assert.fail();
  });
}

test("the completion of one update never falls, and another update begins at zero", () => {
  const at = (message: string, last = STARTED) => buildClusterVersion("True", last, { message });
  const again = { ...STARTED, startedTime: "2026-03-02T10:00:00Z" };
  assert.deepEqual(
    follow(
      at("Working towards 5.1.0: 360 of 900 done (40% complete)"),
      at("Unable to apply 5.1.0: an operator is degraded"),
      at("Working towards 5.1.0: 27 of 900 done (3% complete)"),
      buildClusterVersion("False", STARTED),
      buildClusterVersion(undefined, STARTED),
      at("Working towards 5.1.0: 450 of 900 done (50% complete)"),
      buildClusterVersion("True", COMPLETED),
      buildClusterVersion("False", COMPLETED),
      buildClusterVersion("True", COMPLETED),
      at("Working towards 5.1.0: 27 of 900 done (3% complete)", again),
      at("Working towards 5.2.0", { ...again, version: "5.2.0" }),
    ),
    [40, 40, 40, 40, 40, 50, 50, 100, 100, 3, 0],
  );
});

test("what somebody else wrote in the insight's place sets no completion", () => {
  const object = buildClusterVersion("True", STARTED, { message: "(7% complete)" });
  const same = { startedAt: "2026-03-01T10:00:00Z", versions: { target: { version: "5.1.0" } } };
  for (const completion of [101, 7.5, "90", null, -3])
    assert.equal(buildInsight(object, { ...same, completion }).completion, 7, String(completion));
  assert.equal(buildInsight(object, { ...same, completion: 90 }).completion, 90);
});
