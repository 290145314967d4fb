import assert from "node:assert/strict";
import { parseDuration } from "../../../src/cli/settings/values.ts";
import { parseAcceptance } from "../../../src/lift/objects/cluster-version-edit.ts";
import {
  findMinorsBetween,
  isSameRelease,
  parseKubernetesVersion,
  parseTargetVersion,
  compareVersions,
  parseVersion,
} from "../../../src/model/version.ts";
import { parseTimestamp } from "../../../src/model/time.ts";
import { formatRequest, parseTargetRequest } from "../../../src/release/graph/target-request.ts";
import { unlessRefused } from "../refusals.ts";
import { splitTexts, joinTexts, type FuzzTarget } from "../target.ts";

const SEEDS = [
  ["4.18.1-rc.1+b", "v1.36.2-gke.1", "1h30m2.5s500ms"],
  ["4.19", "5.0.0-0.nightly", "2026-01-02T03:04:05Z"],
  ["latest", "v1.36", "Alpha,Beta-"],
];

/** Two versions, and a duration, a time or a list of risks. A request for a target is the same once written and read again. */
export const target: FuzzTarget = {
  seeds: SEEDS.map((texts) => joinTexts(...texts)),
  maxBytes: 512,
  run: async (input) => {
    const [version = "", other = "", duration = ""] = splitTexts(input);
    requireVersions(version, other);
    parseAcceptance(duration, { replace: version === "" });
    parseTimestamp(duration);
    if ((await unlessRefused(() => parseDuration(duration, "timeout"))) !== undefined)
      assert.match(duration, /^[\d.mshms]+$/);
    const request = parseTargetRequest(version);
    if (request !== undefined) assert.deepEqual(parseTargetRequest(formatRequest(request)), request);
  },
};

function requireVersions(a: string, b: string): void {
  const [one, two] = [a, b].map(
    (text) => parseVersion(text) ?? parseKubernetesVersion(text) ?? parseTargetVersion(text)?.version,
  );
  isSameRelease(a, b);
  if (one === undefined || two === undefined) return;
  assert.equal(Math.sign(compareVersions(one, two)), -Math.sign(compareVersions(two, one)) || 0);
  findMinorsBetween(one, two);
}
