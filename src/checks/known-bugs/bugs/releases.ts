import type { AffectedVersions, KnownBug } from "../known-bug.ts";

/** More than a minor ever had of its release candidates. */
const LAST_CANDIDATE = 99;

function buildCandidates(minor: number, last: number, fixedIn: string): AffectedVersions {
  return { first: `4.${minor}.0-ec.0`, last: `4.${minor}.0-rc.${last}`, fixedIn };
}

/** Faults of releases as such: the versions decide. */
export const RELEASES_BUGS: readonly KnownBug[] = [
  {
    id: "pre-release",
    name: "TargetIsPreRelease",
    certainty: "risk",
    published: ["PreRelease"],
    versions: [
      buildCandidates(14, LAST_CANDIDATE, "4.14.0"),
      buildCandidates(15, LAST_CANDIDATE, "4.15.0"),
      buildCandidates(16, LAST_CANDIDATE, "4.16.0"),
      buildCandidates(17, LAST_CANDIDATE, "4.17.0"),
      buildCandidates(18, LAST_CANDIDATE, "4.18.1"),
      buildCandidates(19, LAST_CANDIDATE, "4.19.0"),
      buildCandidates(20, LAST_CANDIDATE, "4.20.0"),
      buildCandidates(21, 2, "4.21.0"),
    ],
    when: { always: true },
    title: "The target is a pre-release",
    message: "{target} was made to be tried out before the release, and is not supported",
    url: "https://issues.redhat.com/browse/OTA-1599",
  },
  {
    id: "duplicate-release",
    name: "TargetReplacedByTwin",
    certainty: "risk",
    published: ["DuplicateRelease"],
    versions: [{ first: "4.11.23", last: "4.11.23", fixedIn: "4.11.24" }],
    when: { always: true },
    title: "The target was replaced by its twin",
    message: "{target} was shipped a second time as 4.11.24, with nothing changed but a link",
    url: "https://access.redhat.com/errata/RHSA-2023:0069",
  },
  {
    id: "patches-older-release",
    name: "TargetLacksRecentFixes",
    certainty: "risk",
    published: ["PatchesOlderRelease"],
    versions: [
      { first: "4.11.36", last: "4.11.36", fixedIn: "4.11.37" },
      { first: "4.12.12", last: "4.12.12", fixedIn: "4.12.13" },
    ],
    when: { always: true },
    title: "The target lacks the fixes of releases before it",
    message:
      "{target} was made for new installations from an older release: faults that were fixed since then come back",
    url: "https://access.redhat.com/solutions/7007136",
  },
  {
    id: "precondition-check",
    name: "SourceRejectsTarget",
    certainty: "risk",
    published: ["ClusterVersionPreconditionCheck"],
    versions: [{ first: "4.11.0-fc.0", last: "4.11.0-fc.0", sources: [{ from: "4.10.14", before: "4.10.15" }] }],
    when: { always: true },
    title: "The running release doesn't accept the target",
    message: "The cluster-version operator of 4.10.14 rejects {target}, and the update doesn't begin",
    remedy: "update to 4.10.15 or a later 4.10",
    url: "https://bugzilla.redhat.com/show_bug.cgi?id=2072389#c11",
  },
  {
    id: "hyphen-prefix",
    name: "TargetMayNotBeLeft",
    certainty: "notice",
    published: ["ReleaseDataWithHyphenPrefix"],
    versions: [{ first: "4.10.14", last: "4.10.18", sources: [{ from: "4.10.0-0", before: "4.11.0-0" }] }],
    when: { always: true },
    title: "Clusters may not be able to leave the target",
    message: "Depending on the cluster's past, no later update may begin once it runs {target}",
    remedy: "read how to avoid that on the page linked here",
    url: "https://access.redhat.com/solutions/6965075",
  },
];
