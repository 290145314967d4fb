import { testExplanations } from "../../support/data-checks/explain.ts";

testExplanations("a minor is compared with one of its platform", [
  ['target.openshift >= minor("4.22")'],
  ['target.kubernetes >= minor("1.35")'],
  ["target.kubernetes >= 35"],
  ['target.ordinal >= minor("4.22")'],
  ["target.kubernetes - source.kubernetes > 1"],
  ['crosses("1.35") || crosses("4.22")'],
  [
    'target.openshift >= minor("1.35")',
    '[target.openshift >= minor("1.35")] this compares a minor of OpenShift with one of Kubernetes (write target.kubernetes >= minor("1.35"))',
  ],
  [
    'minor("4.22") <= target.kubernetes',
    '[minor("4.22") <= target.kubernetes] this compares a minor of OpenShift with one of Kubernetes (write minor("4.22") <= target.openshift)',
  ],
  [
    'target.ordinal >= minor("1.35")',
    '[target.ordinal >= minor("1.35")] this compares a minor of OpenShift with one of Kubernetes (write target.kubernetes >= minor("1.35"))',
  ],
  [
    "target.kubernetes >= target.openshift",
    "[target.kubernetes >= target.openshift] this compares a minor of Kubernetes with one of OpenShift (compare minors of one platform: source, target and minor() of the same one)",
  ],
  [
    'target.kubernetes - 1 >= minor("4.20")',
    '[target.kubernetes - 1 >= minor("4.20")] this compares a minor of Kubernetes with one of OpenShift (write minor("1.33"))',
  ],
  [
    "target.kubernetes >= 1.35",
    '[target.kubernetes >= 1.35] a minor is not a number with a fraction: 4.20 would be 4.2 (write minor("1.35"))',
  ],
]);

testExplanations("a minor that there is not gets the nearest that there is", [
  ['crosses("4.24")', '["4.24"] OpenShift 4.24 does not exist: the last minor of 4 is 4.23 (did you mean "5.1"?)'],
  ['crosses("1.350")', '["1.350"] Kubernetes 1.350 does not exist (did you mean "1.35"?)'],
  ['minor("4.30") > 2', '["4.30"] OpenShift 4.30 does not exist: the last minor of 4 is 4.23 (did you mean "5.7"?)'],
  ['minor("3.11") > 2', '["3.11"] OpenShift 3.11 does not exist (write one that there is, as in "4.21" or "1.35")'],
  [
    'minor("4.210") > 2',
    '["4.210"] OpenShift 4.210 does not exist: the last minor of 4 is 4.23 (did you mean "4.21"?)',
  ],
  ['crosses("v4.21")', '["v4.21"] "v4.21" is not a minor version (write "4.21")'],
  ['crosses("5.9")'],
]);

testExplanations("a minor of a platform on which the check does not apply is marked", [
  ['target.minor == "4.20"'],
  [
    'target.minor == "1.35"',
    '[target.minor == "1.35"] 1.35 is a minor of Kubernetes, on which the check does not apply (write target.kubernetes == minor("1.35"))',
  ],
  [
    '"1.35" == source.minor',
    '["1.35" == source.minor] 1.35 is a minor of Kubernetes, on which the check does not apply (write source.kubernetes == minor("1.35"))',
  ],
  [
    'target.minor in ["4.20", "1.35"]',
    '[target.minor in ["4.20", "1.35"]] 1.35 is a minor of Kubernetes, on which the check does not apply (write target.kubernetes == minor("1.35"))',
  ],
]);
