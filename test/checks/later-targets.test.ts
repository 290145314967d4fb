import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readCase } from "../../src/cases/case-files.ts";
import { judgeOpenCase, type OpenCase, openCase } from "../../src/cases/runner.ts";
import { checks } from "../../src/checks/index.ts";
import type { Check } from "../../src/model/check.ts";
import { findRunningVersion } from "../../src/model/cluster-version.ts";
import { objectAt } from "../../src/model/json.ts";
import { getMinorOrdinal, getUpdateKind, LAST_KNOWN_RELEASE, type Version } from "../../src/model/version.ts";
import { caseFiles } from "../../verify/shared/check-folders.ts";
import { sampleEach } from "../support/cases/sample.ts";
import { selectedChecks } from "../support/cases/selected-checks.ts";
import { version } from "../support/fixtures.ts";

/** What a later target no longer has, and why that is right: each says of this very target what no release between can change. */
const OF_ONE_TARGET: Readonly<Record<string, string>> = {
  ConditionalUpdateRiskApplies: "the update service publishes it for one update",
  CrdRefused: "the API server that reads the CRD is the target's",
  CustomResourceInvalid: "the API server that reads the object is the target's, and a later one lets it stay",
  DualStackAdditionalNetworksStall: "releases have the bug from one to another",
  DualStackPluginUnsupported: "a later minor has no such plugin, which is a risk of its own",
  GatewayAPICRDsDegradeIngress: "a later minor takes these CRDs over, which is a risk of its own",
  HostedClusterUpdateNotRecommended: "the update service publishes it for one update",
  IdentityProviderNameSpaceCrashesLogin: "releases have the bug from one to another",
  KubeProxyNewerThanTarget: "a later target is as new",
  KubeletNewerThanTarget: "a later target is as new",
  NodePoolNewerThanTarget: "a later target is as new",
  OVNSeveralClusterNetworksBreakPods: "releases have the bug from one to another",
  TargetNotAccepted: "the operator was asked for one release",
  WhereaboutsNetworksStall: "releases have the bug from one to another",
};

/** Of each check's cases that find something; all of them with PREFLIGHT_CASES=all. */
const STEP = 4;
const CLUSTER_VERSION = "/apis/config.openshift.io/v1/clusterversions/version";

/** The next minor, and the last that this build knows: each update to them passes every minor that the case's update reaches. */
function listLaterTargets(target: Version): readonly Version[] {
  const last = getMinorOrdinal(LAST_KNOWN_RELEASE);
  if (target.major === 1) return [version(`1.${target.minor + 1}.0`)];
  const seam = getMinorOrdinal({ major: 5, minor: 0 });
  const format = (ordinal: number): string => (ordinal < seam ? `4.${ordinal}.20` : `5.${ordinal - seam}.4`);
  const next = getMinorOrdinal(target) + 1;
  const ordinals = [next, last].filter((ordinal) => next <= ordinal && ordinal <= last);
  return [...new Set(ordinals)].map((ordinal) => version(format(ordinal)));
}

/** Only an update to a later minor reaches one; a cluster without ClusterVersion is Kubernetes, whose cases are of such updates. */
function reachesMinor({ one, payload }: OpenCase): boolean {
  const source = findRunningVersion(objectAt(one.cluster, CLUSTER_VERSION));
  return source === undefined || getUpdateKind(version(source), payload.version) === "minor";
}

async function listRisks(open: OpenCase, check: Check, target: Version): Promise<readonly string[]> {
  const payload = { ...open.payload, version: target };
  const { risks } = await judgeOpenCase({ ...open, payload }, check, checks);
  return risks.filter(({ unknown }) => !unknown).map(({ name }) => name);
}

for (const check of selectedChecks) {
  describe(`check ${check.id}`, () => {
    const files = caseFiles(check).filter(({ name }) => /^(?:risk|unknown)/.test(name));
    for (const file of sampleEach(files, STEP))
      test(`finds what it found in ${file.name} if the update goes on to a later minor`, async () => {
        const open = await openCase(readCase(file));
        const { version: target } = open.payload;
        const found = reachesMinor(open) ? await listRisks(open, check, target) : [];
        for (const later of found.length === 0 ? [] : listLaterTargets(target)) {
          const kept = await listRisks(open, check, later);
          const lost = found.filter((name) => !kept.includes(name) && !Object.hasOwn(OF_ONE_TARGET, name));
          assert.deepEqual(lost, [], `${target.text} has it, and ${later.text} has not`);
        }
      });
  });
}
