import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, before, beforeEach, test } from "node:test";
import { spawnPreflight } from "../../../verify/shared/preflight.ts";

let home = "";
let listing = "";
before(async () => {
  listing = (await spawnPreflight(["list"])).out;
  assert.match(listing, /crd-skew/);
});
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "preflight-home-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

function findFolder(): string {
  return join(home, ".cache", "preflight", "code");
}

async function runList(env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { code, out, err } = await spawnPreflight(["list"], { HOME: home, ...env });
  assert.deepEqual([code, out, err], [0, listing, ""]);
}

async function readKept(): Promise<readonly string[]> {
  return readdir(findFolder()).catch(() => []);
}

test("keeps what V8 has compiled for each command, for this user alone", async () => {
  await runList();
  const [name = ""] = await readKept();
  assert.match(name, /^[0-9a-f]{16}-v\d+\.\d+\.\d+-\w+-[0-9a-f]+-list$/);
  assert.equal((await stat(findFolder())).mode & 0o777, 0o700);
  assert.equal((await stat(join(findFolder(), name))).mode & 0o777, 0o600);
  const { mtimeMs } = await stat(join(findFolder(), name));
  await runList();
  assert.equal((await stat(join(findFolder(), name))).mtimeMs, mtimeMs, "it is not written again");
  const checked = ["check", "--recorded", "demo", "--target", "demo/release", "--fail-on", "never"];
  assert.equal((await spawnPreflight(checked, { HOME: home })).code, 0);
  assert.deepEqual(
    (await readKept()).map((kept) => kept.replace(/^.*-(?=list|check)/, "")),
    (await readKept()).map((kept) => (kept.endsWith("list") ? "list" : "check-child")),
  );
  assert.equal((await readKept()).length, 2);
});

test("replaces what is damaged", async () => {
  await runList();
  const path = join(findFolder(), (await readKept())[0] ?? "");
  const good = await readFile(path);
  const damaged = Buffer.from(good);
  damaged.fill(0x55, 20_000, 20_100);
  for (const bytes of [damaged, Buffer.alloc(0), Buffer.alloc(100)]) {
    await writeFile(path, bytes);
    await runList();
    assert.ok((await stat(path)).size > 100_000, "it is whole again");
  }
});

test("trusts no folder that others can write to", async () => {
  await mkdir(findFolder(), { recursive: true });
  await chmod(findFolder(), 0o777);
  await runList();
  assert.deepEqual(await readKept(), []);
});

test("does without a folder", async () => {
  await runList({ HOME: join(home, "nobody") });
  await runList({ HOME: "/proc/self" });
  await runList({ NODE_DISABLE_COMPILE_CACHE: "1" });
  assert.deepEqual(await readdir(home), []);
});

test("keeps nothing of a command that was not understood", async () => {
  const { code } = await spawnPreflight(["list", "--nope"], { HOME: home });
  assert.equal(code, 2);
  assert.deepEqual(await readKept(), []);
});

test("Node's own variable names another folder", async () => {
  const folder = join(home, "compiled");
  await runList({ NODE_COMPILE_CACHE: folder });
  assert.deepEqual(await readdir(home), ["compiled"]);
  assert.equal((await readdir(join(folder, "preflight", "code"))).length, 1);
});
