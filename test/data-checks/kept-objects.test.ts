import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { buildContext } from "../../src/model/check.ts";
import { compileText, judgeCluster, writeCheck } from "../support/data-checks/judge-check.ts";
import { release, version } from "../support/fixtures.ts";

const WIDGETS = "/apis/example.com/v1/widgets";

/** The notice about the widgets for which `where` is true. */
async function selectWidgets(where: string, widgets: string): Promise<unknown> {
  const spec = `reads: {widgets: {list: example.com/v1/widgets, where: '${where}'}}
notices: [{when: "true", message: "\${widgets.items.map(widget, widget.metadata.name)}"}]`;
  const { notices } = await judgeCluster(spec, `cluster:\n  ${WIDGETS}: ${widgets}`);
  return notices?.join();
}

function widget(name: string, spec: string): string {
  return `{apiVersion: example.com/v1, kind: Widget, metadata: {name: ${name}}, spec: ${spec}}`;
}

describe("the object of a list, in where", () => {
  test("lacks members that are null, at any depth", async () => {
    const widgets = `[${widget("a", "{size: null}")}, ${widget("b", "{parts: [{size: null}]}")}, ${widget("c", "{size: 1}")}]`;
    assert.equal(await selectWidgets("object.spec.?size.hasValue()", widgets), "c");
    assert.equal(await selectWidgets('object.spec.exists(name, name == "size")', widgets), "c");
    assert.equal(await selectWidgets("object.spec.?parts.orValue([]).exists(part, size(part) == 0)", widgets), "b");
  });

  test("has a reference, whatever else it holds", async () => {
    const widgets = `[${widget("a", "{size: 9007199254740993}")}, ${widget("b", "{}")}]`;
    assert.equal(await selectWidgets('ref(object) == "Widget a"', widgets), "a");
  });
});

test("a command for another object has no namespace if that is empty", async () => {
  const { check } = await compileText(
    writeCheck(`reads: {widgets: {list: example.com/v1/widgets}}
risks:
  - name: WidgetOld
    effect: broken
    title: A widget is old
    url: https://example.com
    message: "\${objects} is old."
    remediation: Renew it.
    see: [{get: {kind: Owner, name: all, namespace: ""}}, {get: {kind: Owner}}]
    findings: [{forEach: widgets.items, message: It is old.}]`),
  );
  const object = { apiVersion: "example.com/v1", kind: "Widget", namespace: "demo", name: "a" };
  const [risk] = check?.risks ?? [];
  const context = buildContext(version("4.18.5"), release("4.19.2"), new Date(0));
  assert.deepEqual(risk?.see?.({ risk: "WidgetOld", object, message: "" }, context), [
    "oc get owner.example.com/all -o yaml",
    "oc -n demo get owner.example.com/a -o yaml",
  ]);
});

test("the reads of facts come before a check's own", async () => {
  const { check } = await compileText(
    writeCheck(`reads: {widgets: {list: example.com/v1/widgets}}
notApplicable: [{when: cluster.hosted, reason: It is hosted.}]
notices: [{when: widgets.items.size() == 0, message: There is none.}]`),
  );
  assert.deepEqual(Object.keys(check?.mayRead?.() ?? {}), ["@infrastructure", "widgets"]);
});
