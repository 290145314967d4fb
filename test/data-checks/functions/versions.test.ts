import { testFunction } from "../../support/data-checks/function-cases.ts";

const OBJECT = { version: "v4.20.1", minor: "4.19", odd: "latest" };

testFunction(
  "minor",
  [
    ["minor('4.19')", "19"],
    ["minor('4.22')", "22"],
    ["minor('4.23')", "23"],
    ["minor('5.0')", "23"],
    ["minor('5.1')", "24"],
    ["minor('3.11')", "-9989"],
    ["minor('4.9') < minor('4.10')", "true"],
    ["minor(object.minor) + 1 == minor('4.20')", "true"],
    ["minor('4.19.3')", 'error: "4.19.3" is not a minor version'],
    ["minor('4')", 'error: "4" is not a minor version'],
    ["minor('v4.19')", 'error: "v4.19" is not a minor version'],
    ["minor(' 4.19')", 'error: " 4.19" is not a minor version'],
    ["minor('')", 'error: "" is not a minor version'],
    ["minor(object.odd)", 'error: "latest" is not a minor version'],
    ["minor(4.19)", "fault: minor does not accept (double)"],
    ["semver('1.2.3').minor()", "2"],
  ],
  OBJECT,
);

testFunction(
  "crosses",
  [
    ["crosses('4.17')", "false"],
    ["crosses('4.18')", "false"],
    ["crosses('4.19')", "true"],
    ["crosses('4.20')", "true"],
    ["crosses('4.21')", "false"],
    ["crosses('5.0')", "false"],
    ["crosses(object.minor)", "true"],
    ["[1].all(x, crosses('4.19'))", "true"],
    ["crosses(object.odd)", 'error: "latest" is not a minor version'],
    ["crosses(dyn(4))", "error: no such overload"],
    ["crosses(4)", "fault: crosses does not accept (int, int, int)"],
    ["crosses()", "fault: crosses does not accept ()"],
  ],
  OBJECT,
);

testFunction(
  "version",
  [
    ["version('1.2.3')", "semver(1.2.3)"],
    ["version('v1.2.3')", "semver(1.2.3)"],
    ["version('1.9')", "semver(1.9.0)"],
    ["version('1')", "semver(1.0.0)"],
    ["version('01.02.03')", "semver(1.2.3)"],
    ["version('4.20.0-rc.1').isLessThan(version('4.20'))", "true"],
    ["version('1.10').isGreaterThan(version('1.9'))", "true"],
    ["version(object.version).minor()", "20"],
    ["version('1.2.3+build') == version('1.2.3')", "true"],
    ["version('1.2-rc.1')", 'error: "1.2-rc.1" is not a version'],
    ["version('')", 'error: "" is not a version'],
    ["version(object.odd)", 'error: "latest" is not a version'],
    ["version('1.2.3.4')", 'error: "1.2.3.4" is not a version'],
    ["version(' 1.2.3')", 'error: " 1.2.3" is not a version'],
    ["version(dyn(1))", "error: no such overload"],
    ["version(1)", "fault: version does not accept (int)"],
    ["object.?nope.optMap(x, version(x).major()).orValue(0)", "0"],
  ],
  OBJECT,
);
