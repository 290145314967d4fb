import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { type Expected, type Scenario, type Series, testFile } from "../support/deploy/alert-cases.ts";
import { CONTROLLER_ALERTS as ALERTS, CONTROLLER_GROUPS } from "../support/deploy/controller-rules.ts";
import { noPromtool, runPromtool } from "../support/promtool.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const OURS = 'namespace="openshift-cluster-version"';
const THEIRS = 'namespace="openshift-update-status-controller"';

const fires = (minute: number, name: string): Expected => ({
  minute,
  alert: name,
  fires: ALERTS.filter(({ alert }) => alert === name).map(({ labels, annotations }) => ({ labels, annotations })),
});
const silent = (minute: number, alert: string): Expected => ({ minute, alert });
const allSilent = (minute: number): readonly Expected[] => ALERTS.map(({ alert }) => silent(minute, alert));

const deployed = (values = "1x60"): Series => [
  `kube_deployment_spec_replicas{${OURS},deployment="preflight-controller"}`,
  values,
];
const up = (values: string, pod = "a"): Series => [`up{${OURS},job="preflight-controller",pod="${pod}"}`, values];
const ours = (name: string, values: string, more = ""): Series => [
  `preflight_controller_${name}{${OURS}${more}}`,
  values,
];
const WELL: readonly Series[] = [
  deployed(),
  up("1x60"),
  ours("leading", "1x60"),
  ours("failing", "0x60"),
  ours("gave_up", "0x60"),
  [`kube_deployment_spec_replicas{${THEIRS},deployment="update-status-controller"}`, "1x60"],
  [`up{${THEIRS},job="update-status-controller"}`, "1x60"],
  [`update_status_controller_failing{${THEIRS}}`, "0x60"],
];

/** The healthy series, with others in the place of those of the same name. */
function but(...series: readonly Series[]): readonly Series[] {
  const names = series.map(([name]) => name);
  return [...WELL.filter(([name]) => !names.includes(name)), ...series];
}

suite("promtool", { skip: noPromtool }, () => {
  const folder = createTemporaryFolder();

  async function holds(...scenarios: readonly Scenario[]): Promise<void> {
    const rules = join(folder, "rules.yaml");
    const tests = join(folder, "test.yaml");
    writeFileSync(rules, JSON.stringify({ groups: CONTROLLER_GROUPS }));
    writeFileSync(tests, testFile(rules, scenarios));
    await runPromtool("check", "rules", "--lint-fatal", rules);
    await runPromtool("test", "rules", tests);
  }

  test("healthy controllers, and a cluster without them, raise no alert", async () => {
    await holds({ series: WELL, expected: allSilent(60) }, { series: [], expected: allSilent(60) });
  });

  test("a controller that Prometheus can't reach is down after a quarter of an hour, unless it is scaled to 0", async () => {
    const name = "PreflightControllerDown";
    const down = [silent(14, name), fires(16, name), silent(16, "UpdateStatusControllerDown")];
    await holds(
      { series: but(up("0x60")), expected: down },
      { series: [deployed(), ...WELL.slice(5)], expected: down },
      { series: but(up("0x60"), deployed("0x60")), expected: [silent(60, name)] },
      { series: but(up("0x60"), up("1x60", "b")), expected: [silent(60, name)] },
    );
    const other = "UpdateStatusControllerDown";
    await holds({ series: WELL.slice(0, 6), expected: [silent(14, other), fires(16, other), silent(16, name)] });
  });

  test("a node that restarts in an update, with twelve minutes without a controller, raises no alert", async () => {
    const gone = "1x10 _x12 1x40";
    const series = but(up(gone), ours("leading", "1x10 _x12 0x1 1x40"), ours("failing", "0x10 _x12 1x2 0x40"));
    await holds({ series, expected: [10, 20, 26, 40].flatMap(allSilent) });
  });

  test("controllers of which none leads raise an alert, a standby none", async () => {
    const name = "PreflightControllerNotLeading";
    const standby = ours("leading", "0x60", ',pod="b"');
    await holds(
      { series: but(ours("leading", "0x60"), standby), expected: [silent(14, name), fires(16, name)] },
      { series: but(standby), expected: [silent(60, name)] },
    );
  });

  test("reads and writes that keep failing raise an alert, single ones none", async () => {
    const name = "PreflightControllerFailing";
    const watch = (values: string): Series => ours("failures_total", values, ',kind="watch"');
    await holds(
      { series: but(ours("failing", "1x60")), expected: [silent(14, name), fires(16, name)] },
      { series: but(ours("failing", "1x10 0x1 1x10 0x30")), expected: [silent(16, name), silent(24, name)] },
      { series: but(watch("0+1x60")), expected: [silent(14, name), fires(20, name)] },
      { series: but(watch("0x5 1x60")), expected: [16, 20, 25, 40].map((minute) => silent(minute, name)) },
    );
    const other = "UpdateStatusControllerFailing";
    const failing: Series = [`update_status_controller_failing{${THEIRS}}`, "1x60"];
    await holds({ series: but(failing), expected: [silent(14, other), fires(16, other), silent(16, name)] });
  });

  test("a preflight that was given up raises an alert until the next request", async () => {
    const name = "PreflightGaveUp";
    await holds({
      series: but(ours("gave_up", "0x5 1x30 0x20")),
      expected: [silent(19, name), fires(22, name), silent(40, name)],
    });
  });
});

test("the controllers' alerts are warnings of their namespace, and touch no update", () => {
  for (const { alert, labels } of ALERTS) {
    const namespace = alert.startsWith("Preflight")
      ? "openshift-cluster-version"
      : "openshift-update-status-controller";
    assert.deepEqual(labels, { namespace, severity: "warning" });
  }
});
