import assert from "node:assert/strict";
import { test } from "node:test";
import { findRuntimeSetting, selectFiles } from "../../src/checks/runc-default/check.ts";

const nameIn = (text: string | undefined) => {
  const runtime = findRuntimeSetting([{ path: "/etc/crio/crio.conf.d/10-own", text }]);
  return runtime.kind === "named" ? runtime.name : runtime.kind;
};

test("finds the default runtime in every form that TOML allows", () => {
  for (const text of [
    '[crio.runtime]\ndefault_runtime = "runc"',
    '[crio]\n[crio.runtime] # table\n  default_runtime="runc" # last',
    "[ crio . runtime ]\r\ndefault_runtime = 'runc'\r\n",
    '[crio]\nruntime.default_runtime = "runc"',
    'crio.runtime.default_runtime = "runc"',
    '[crio.runtime]\ndefault_runtime = "crun"\ndefault_runtime = "runc"',
  ])
    assert.equal(nameIn(text), "runc", text);
});

test("takes an empty name for a name", () => {
  for (const quoted of ["''", '""']) assert.equal(nameIn(`[crio.runtime]\ndefault_runtime = ${quoted}`), "");
});

test("ignores other keys, tables and comments", () => {
  for (const text of [
    "",
    '[crio.runtime]\n# default_runtime = "runc"',
    '[crio.runtime.runtimes.runc]\ndefault_runtime = "runc"',
    '[crio.runtime]\nnot_default_runtime = "runc"',
    '[[crio.runtime]]\ndefault_runtime = "runc"',
    '[crio.runtime]\n[[other]]\ndefault_runtime = "runc"',
    'default_runtime = "runc"',
  ])
    assert.equal(nameIn(text), "default", text);
});

test("reports the file as unreadable if it or the value can't be parsed", () => {
  assert.equal(nameIn("[crio.runtime]\ndefault_runtime = runc"), "unreadable");
  assert.equal(nameIn('[crio.runtime]\ndefault_runtime = """runc"""'), "unreadable");
  assert.equal(nameIn(undefined), "unreadable");
});

test("decodes only inline files in the folder, in any encoding", () => {
  const file = (path: string, source: string, compression = "") => ({ path, contents: { source, compression } });
  const files = [
    file("/d/c", "data:text/plain;charset=utf-8;base64,YSUyMGI="),
    file("/d/b", "data:,a%20b"),
    file("/d/a", "https://config.example/a"),
    file("/d/d", "data:,%ZZ"),
    file("/d/e", "data:;base64,AAAA", "gzip"),
    file("/secret", "data:,secret"),
    { path: "/d/f" },
  ];
  assert.deepEqual(selectFiles({ spec: { config: { storage: { files } } } }, "/d/"), [
    { path: "/d/a", text: undefined },
    { path: "/d/b", text: "a b" },
    { path: "/d/c", text: "a%20b" },
    { path: "/d/d", text: undefined },
    { path: "/d/e", text: undefined },
    { path: "/d/f", text: "" },
  ]);
});
