import type { AffectedVersions, BugEntry } from "../known-bug.ts";

/** Minors of a major whose pre-releases are reported: more than there are or will be. */
const LAST_MINOR = 99;

/** The first release of a minor that isn't 0. */
const FIRST_RELEASES: Readonly<Record<string, string>> = { "4.18": "4.18.1" };

/** All pre-releases of each minor, nightly builds included: no minor has a hundred release candidates. */
function buildPreReleases(major: 4 | 5): readonly AffectedVersions[] {
  return Array.from({ length: LAST_MINOR + 1 }, (_, minor) => {
    const name = `${major}.${minor}`;
    return { first: `${name}.0-0`, last: `${name}.0-rc.99`, fixedIn: FIRST_RELEASES[name] ?? `${name}.0` };
  });
}

/** Bugs of whole releases: the versions decide. */
export const RELEASES_BUGS: readonly BugEntry[] = [
  {
    id: "pre-release",
    name: "TargetIsPreRelease",
    published: ["PreRelease"],
    versions: [...buildPreReleases(4).slice(1), ...buildPreReleases(5)],
    when: { always: true },
    title: "The target is a pre-release",
    message: "{target} is a pre-release for testing, and not supported",
    url: "https://issues.redhat.com/browse/OTA-1599",
  },
  {
    id: "duplicate-release",
    name: "TargetReplacedByTwin",
    published: ["DuplicateRelease"],
    versions: [{ first: "4.11.23", last: "4.11.23", fixedIn: "4.11.24" }],
    when: { always: true },
    title: "The target was replaced by an identical release",
    message: "{target} was shipped again as 4.11.24, with no change but a link",
    url: "https://access.redhat.com/errata/RHSA-2023:0069",
  },
  {
    id: "patches-older-release",
    name: "TargetLacksRecentFixes",
    published: ["PatchesOlderRelease"],
    versions: [
      { first: "4.11.36", last: "4.11.36", fixedIn: "4.11.37" },
      { first: "4.12.12", last: "4.12.12", fixedIn: "4.12.13" },
    ],
    when: { always: true },
    title: "The target lacks fixes of earlier releases",
    message:
      "{target} was built from an older release for new installations, and bugs that were fixed since then come back",
    url: "https://access.redhat.com/solutions/7007136",
  },
  {
    id: "precondition-check",
    name: "SourceRejectsTarget",
    effect: "refused",
    published: ["ClusterVersionPreconditionCheck"],
    versions: [{ first: "4.11.0-fc.0", last: "4.11.0-fc.0", sources: [{ from: "4.10.14", before: "4.10.15" }] }],
    when: { always: true },
    title: "The running release doesn't accept the target",
    message: "The cluster-version operator of 4.10.14 rejects {target}, and the update doesn't start",
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
    message: "Depending on the cluster's history, no further update may start once the cluster runs {target}",
    remedy: "follow the steps on the linked page",
    url: "https://access.redhat.com/solutions/6965075",
  },
];
