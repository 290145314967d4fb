import { testFunction } from "../../support/data-checks/function-cases.ts";

const completed = (...versions: readonly string[]): readonly { readonly state: string; readonly version: string }[] =>
  versions.map((version) => ({ state: "Completed", version }));

const OBJECT = {
  history: [{ state: "Partial", version: "4.20.1" }, ...completed("4.19.3", "4.18.9")],
  odd: [...completed("4.20.1"), { state: "Completed", version: "latest" }],
  bare: [{ state: "Completed" }],
  /** As long as old operators kept it. */
  cut: completed("4.10.1", ...Array.from({ length: 49 }, () => "4.9.5")),
  whole: completed("4.10.1", ...Array.from({ length: 48 }, () => "4.9.5")),
  later: completed(...Array.from({ length: 60 }, () => "4.10.0")),
};

testFunction(
  "beganBefore",
  [
    ["object.history.beganBefore('4.18.9')", "false"],
    ["object.history.beganBefore('4.18.10')", "true"],
    ["object.history.beganBefore('4.19.0-0')", "true"],
    ["object.history.beganBefore('4.18.9-rc.1')", "false"],
    ["object.cut.beganBefore('4.2.0-0')", "true"],
    ["object.whole.beganBefore('4.2.0-0')", "false"],
    ["object.later.beganBefore('4.2.0-0')", "false"],
    ["object.bare.beganBefore('4.2.0-0')", "false"],
    ["[].beganBefore('4.2.0-0')", "false"],
    ["object.odd.beganBefore('4.2.0-0')", 'error: "latest" is not a version'],
    ["object.history.beganBefore('4')", "false"],
    ["object.history.beganBefore('soon')", 'error: "soon" is not a version'],
    ["object.history.beganBefore(4)", "fault: beganBefore does not accept (dyn, int)"],
  ],
  OBJECT,
);

testFunction(
  "reached",
  [
    ["object.history.reached('4.19.3')", "true"],
    ["object.history.reached('4.19.4')", "false"],
    ["object.history.reached('4.20.0-0')", "false"],
    ["object.bare.reached('4.1.0')", "false"],
    ["[].reached('4.1.0')", "false"],
    ["object.odd.reached('4.20.1')", "true"],
    ["object.odd.reached('4.20.2')", 'error: "latest" is not a version'],
    ["object.history.reached('soon')", 'error: "soon" is not a version'],
  ],
  OBJECT,
);
