import assert from "node:assert/strict";
import test from "node:test";
import { renderTemplate } from "../../../src/release/payload/manifest-objects.ts";

test("renders simple actions as Go templates do", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["image: '{{.ReleaseImage}}'", "image: 'rendered'"],
    ["a: {{ .ClusterProfile }}\n", "a: self-managed-high-availability\n"],
    ['{{index .Images "console"}}', "rendered"],
    ['{{ "{{ $labels.x }}" }} and {{ "\\"" }}', '{{ $labels.x }} and "'],
    ["{{`{{ $value }}`}}", "{{ $value }}"],
    ["a{{/* nothing\nat all */}}b", "ab"],
    ["a \n {{- .ReleaseImage -}} \n b", "arenderedb"],
    ["a }} b", "a }} b"],
  ];
  for (const [template, text] of cases) assert.equal(renderTemplate(template), text);
});

test("leaves templates alone that only the operator can render", () => {
  const cases = [
    "{{if .ReleaseImage}}a{{end}}",
    "{{ $labels.x }}",
    "{{.Unknown}}",
    "{{",
    "{{.ReleaseImage}} {{",
    '{{"\\x"}}',
    "{{range .Images}}{{end}}",
    "{{}}",
    "{{.ReleaseImage | printf}}",
  ];
  for (const template of cases) assert.equal(renderTemplate(template), undefined, template);
});

test("rejects hostile templates of any length", () => {
  const blanks = " ".repeat(1_000_000);
  assert.equal(renderTemplate(`${blanks}{{- .ReleaseImage}}`), "rendered");
  for (const hostile of ["{{", '{{"', '{{"\\', "{{/*", "{{/**/", "{{`", `{{${blanks}`]) {
    assert.equal(renderTemplate(hostile.repeat(hostile.length > 10 ? 1 : 200_000)), undefined, hostile.slice(0, 10));
  }
  assert.equal(renderTemplate(`{{${"/**/".repeat(200_000)}`), undefined);
});
