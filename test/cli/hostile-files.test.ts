import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { constants, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { eventually } from "../../verify/shared/eventually.ts";
import { sampleEach } from "../support/cases/sample.ts";
import { type ProcessResult, runPreflight, startPreflight } from "../../verify/shared/preflight.ts";

const folder = mkdtempSync(join(tmpdir(), "preflight-hostile-"));
const crds = join(folder, "crds");
const socket = join(folder, "socket");
const server = createServer();

before(async () => {
  cpSync("demo/release", crds, { recursive: true, filter: (path) => !/release-metadata|image-references/.test(path) });
  await new Promise<void>((resolve) => void server.listen(socket, resolve));
});
after(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

type Use = {
  readonly flag: string;
  readonly args: (path: string) => readonly string[];
  /** Of a file that is refused. */
  readonly code?: number;
  readonly error?: RegExp;
  /** Whether it may be a pipe of a command. */
  readonly isPipeRead?: true;
};

const NO_FILE = /it is not a regular file/;
const DEMO = ["check", "--recorded", "demo/cluster.json"];
const image = (form: string) => (path: string) => [...DEMO, "--to-image", `${form}:${path}`];

/** The folder of an OCI image whose index is the file. */
function createLayout(index: string): string {
  const layout = join(folder, `layout-${index.replaceAll("/", "-")}`);
  mkdirSync(layout);
  symlinkSync(index, join(layout, "index.json"));
  return layout;
}

const USES: readonly Use[] = [
  { flag: "--graph", args: (path) => [...DEMO, "--to", "4.19", "--graph", path], isPipeRead: true },
  {
    flag: "--registry-ca",
    args: (path) => [...DEMO, "--to-image", "127.0.0.1:1/a/b:c", "--registry-ca", path],
    isPipeRead: true,
  },
  { flag: "--crds", args: (path) => [...DEMO, "--crds", path], isPipeRead: true },
  { flag: "--from", args: (path) => ["crds", "--from", path, "--to", crds], isPipeRead: true },
  { flag: "--to", args: (path) => ["crds", "--from", crds, "--to", path], isPipeRead: true },
  { flag: "--objects", args: (path) => ["crds", "--from", crds, "--to", crds, "--objects", path], isPipeRead: true },
  {
    flag: "Kubeconfig",
    args: (path) => ["check", "--kubeconfig", path, "--target", "demo/release"],
    isPipeRead: true,
  },
  { flag: "reading", args: (path) => ["compare", path, "demo/cluster.json"], isPipeRead: true },
  { flag: "reading", args: (path) => ["validate", path], isPipeRead: true },
  {
    flag: "configuration",
    args: (path) => [...DEMO, "--target", "demo/release", "--config", path],
    code: 2,
    isPipeRead: true,
  },
  {
    flag: "recorded cluster",
    args: (path) => ["check", "--recorded", path, "--target", "demo/release"],
    isPipeRead: true,
  },
  {
    flag: "must-gather",
    args: (path) => ["check", "--must-gather", path, "--target", "demo/release"],
    error: /is neither a folder nor a file/,
  },
  { flag: "target folder", args: (path) => [...DEMO, "--target", path], error: /is not a folder/ },
  { flag: "oci:", args: image("oci"), error: /is not an OCI image .*ENOTDIR/ },
  { flag: "oci:", args: (path) => image("oci")(createLayout(path)), error: /is not an OCI image .*not a regular file/ },
  { flag: "oci-archive:", args: image("oci-archive"), error: /is not a file that can be read/ },
  { flag: "docker-archive:", args: image("docker-archive"), error: /is not a file that can be read/ },
];

function requireOneLine(
  { code, err, signal }: ProcessResult,
  { flag, code: expected = 1, error = NO_FILE }: Use,
): void {
  assert.deepEqual([signal, code, err.trim().split("\n").length], [null, expected, 1], err);
  assert.match(err, error);
  assert.ok(err.includes(flag), err);
}

describe("a device, a socket or a pipe instead of a file", { timeout: 120_000 }, () => {
  for (const use of USES)
    test(`is refused in one line: ${use.args("FILE").join(" ")}`, async () => {
      const pipe = use.isPipeRead ? [] : [createPipe()];
      for (const path of ["/dev/zero", socket, ...pipe]) requireOneLine(await runPreflight(use.args(path)), use);
    });

  test("is a cluster without a valid result among a fleet's written ones", async () => {
    const { code, out, err } = await runPreflight(["fleet", "--from", "/dev/zero"]);
    assert.equal(code, 4, err);
    assert.match(out, /it is not a regular file/);
  });
});

describe("a pipe that nobody writes to", { timeout: 120_000, concurrency: 4 }, () => {
  const uses = USES.filter(({ isPipeRead }) => isPipeRead);
  for (const { args } of sampleEach(uses, 3))
    test(`does not keep SIGTERM from ending the process: ${args("PIPE").join(" ")}`, async () => {
      const pipe = createPipe();
      const started = startPreflight(args(pipe));
      const writer = await openWriter(pipe);
      started.kill("SIGTERM");
      const { code, err } = await started.result;
      await writer.close();
      assert.equal(code, 143, err);
    });
});

test("folders with loops of links end, and so do versions far apart, in results and among objects", async () => {
  const loops = join(folder, "loops");
  mkdirSync(loops);
  for (const name of ["one", "two"]) symlinkSync(".", join(loops, name));
  const objects = await runPreflight(["crds", "--from", crds, "--to", crds, "--objects", loops]);
  assert.match(objects.err, /has no object: --objects needs/);
  const checked = await runPreflight([...DEMO, "--target", "demo/release", "-o", "json"]);
  writeFileSync(join(loops, "far.json"), checked.out.replaceAll(/"4\.18\.\d+"/g, '"4.9999998.1"'));
  const fleet = await runPreflight(["fleet", "--from", loops]);
  assert.match(fleet.out, /1 cluster/);
  assert.doesNotMatch(fleet.err, /memory/);
});

test("texts that expand or nest without end are refused in one line", async () => {
  const laughs = ["a: &a [lol, lol]", ..."bcdefghijklmnopqrstuvwxyz".split("").map(doubleAlias)].join("\n");
  const deep = `{"/api/v1/nodes": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const cases = [
    ["bomb.yaml", laughs, ["--kubeconfig"], /expand to more than 32 MiB/],
    ["documents.yaml", "--- {}\n".repeat(500_000), ["--kubeconfig"], /more than 400000 values/],
    ["deep.json", deep, ["--recorded"], /nested more than 1000 deep/],
  ] as const;
  for (const [name, text, flags, expected] of cases) {
    const path = join(folder, name);
    writeFileSync(path, text);
    const { code, err } = await runPreflight(["check", ...flags, path, "--target", "demo/release"]);
    assert.deepEqual([code, err.trim().split("\n").length], [1, 1], err);
    assert.match(err, expected);
  }
});

/** "c: &c [*b, *b]". */
function doubleAlias(name: string): string {
  const before = String.fromCharCode(name.charCodeAt(0) - 1);
  return `${name}: &${name} [*${before}, *${before}]`;
}

let pipes = 0;

function createPipe(): string {
  const path = join(folder, `pipe-${(pipes += 1)}`);
  execFileSync("mkfifo", [path]);
  return path;
}

/** Opens once somebody reads. */
async function openWriter(pipe: string): Promise<FileHandle> {
  const found: FileHandle[] = [];
  await eventually(async () => found.push(await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK)));
  const [writer] = found;
  assert.ok(writer);
  return writer;
}
