import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { sampleEach } from "../../support/cases/sample.ts";
import { OTHER_USER, createSharedFolder, giveTo, needsOtherUser, needsRoot } from "../../support/other-user.ts";
import { PLANTED_COMMANDS, buildPlantedCode, plantCode } from "../../support/planted-code.ts";
import { spawnPreflight } from "../../../verify/shared/preflight.ts";

let planted: ReadonlyMap<string, Buffer> = new Map();
before(async () => {
  planted = await buildPlantedCode();
});

/** Where the command makes no difference. */
const LIST = sampleEach(PLANTED_COMMANDS, PLANTED_COMMANDS.length);

/** The commands that ran the planted code. */
async function findRuns(
  folder: string,
  env: Readonly<Record<string, string>>,
  commands = PLANTED_COMMANDS,
): Promise<readonly string[]> {
  const runs: string[] = [];
  for (const args of commands) {
    const marker = join(folder, "marker");
    rmSync(marker, { force: true });
    await spawnPreflight(args, { ...env, MARKER: marker });
    if (existsSync(marker)) runs.push(args[0] ?? "");
  }
  return runs;
}

test("code in the user's own cache is run", async (t) => {
  const base = createSharedFolder(t);
  plantCode(base, planted);
  const runs = await findRuns(createSharedFolder(t), { XDG_CACHE_HOME: base });
  assert.deepEqual(
    runs,
    PLANTED_COMMANDS.map(([name]) => name),
  );
});

const preflight = (base: string): string => join(base, "preflight");
const code = (base: string): string => join(base, "preflight/code");

/** Replaces a folder by a link to it. */
function replaceByLink(path: string, elsewhere: string): void {
  const moved = join(elsewhere, "moved");
  renameSync(path, moved);
  symlinkSync(moved, path);
}

const attacks: Readonly<Record<string, (base: string, elsewhere: string) => void>> = {
  "another user's cache in a folder that all can write to": (base) => {
    giveTo(OTHER_USER, preflight(base));
    chmodSync(base, 0o777);
  },
  "another user's cache in a sticky folder": (base) => {
    giveTo(OTHER_USER, preflight(base));
    chmodSync(base, 0o1777);
  },
  "another user's folder above a code folder of this user": (base) =>
    chownSync(preflight(base), OTHER_USER, OTHER_USER),
  "another user's parent": (base) => chownSync(base, OTHER_USER, OTHER_USER),
  "a folder of this user that another one has renamed": (base) => chmodSync(base, 0o777),
  "another user's files": (base) => {
    for (const name of readdirSync(code(base))) chownSync(join(code(base), name), OTHER_USER, OTHER_USER);
  },
  "a link to this user's folder": (base, elsewhere) => replaceByLink(preflight(base), elsewhere),
  "a link to another user's folder": (base, elsewhere) => {
    giveTo(OTHER_USER, preflight(base));
    replaceByLink(preflight(base), elsewhere);
  },
  "a link at the last level": (base, elsewhere) => replaceByLink(code(base), elsewhere),
  "another user's link above the cache": (base, elsewhere) => {
    replaceByLink(base, elsewhere);
    lchownSync(base, OTHER_USER, OTHER_USER);
  },
  "a cache that a group can write to": (base) => chmodSync(preflight(base), 0o770),
  "a code folder that a group can write to": (base) => chmodSync(code(base), 0o770),
  "a parent that a group can write to": (base) => chmodSync(base, 0o775),
  "files that a group can write to": (base) => {
    for (const name of readdirSync(code(base))) chmodSync(join(code(base), name), 0o660);
  },
  "links in place of the files": (base, elsewhere) => {
    for (const name of readdirSync(code(base))) {
      renameSync(join(code(base), name), join(elsewhere, name));
      symlinkSync(join(elsewhere, name), join(code(base), name));
    }
  },
  "files with a second name": (base, elsewhere) => {
    for (const name of readdirSync(code(base))) linkSync(join(code(base), name), join(elsewhere, name));
  },
};

// What starts the program trusts a folder, or doesn't, before it knows the command: each attack is tried with another one.
// test/files/private-folder.test.ts tries each on the folder itself.
for (const [i, [name, attack]] of sampleEach(Object.entries(attacks), 3).entries())
  test(`${name}: no code is run`, needsRoot, async (t) => {
    const shared = createSharedFolder(t);
    const elsewhere = createSharedFolder(t);
    const base = join(shared, "base");
    plantCode(base, planted);
    attack(base, elsewhere);
    const command = PLANTED_COMMANDS[i % PLANTED_COMMANDS.length] ?? [];
    assert.deepEqual(await findRuns(elsewhere, { XDG_CACHE_HOME: base }, [command]), []);
  });

test("the folder that Node's own variable names counts by the same rules", needsRoot, async (t) => {
  const base = createSharedFolder(t, 0o1777);
  plantCode(base, planted);
  const elsewhere = createSharedFolder(t);
  assert.notDeepEqual(await findRuns(elsewhere, { NODE_COMPILE_CACHE: base }, LIST), []);
  giveTo(OTHER_USER, preflight(base));
  assert.deepEqual(await findRuns(elsewhere, { NODE_COMPILE_CACHE: base }, LIST), []);
});

test("root does not use the cache of a user whose home it was given", needsRoot, async (t) => {
  const home = createSharedFolder(t);
  plantCode(join(home, ".cache"), planted);
  giveTo(OTHER_USER, home);
  assert.deepEqual(await findRuns(createSharedFolder(t), { HOME: home }, LIST), []);
  assert.deepEqual(readdirSync(home, { recursive: true }).length, 3 + planted.size, "nothing is written there either");
});

test("another user has a cache in the same folder as root, and does not use root's", needsOtherUser, async (t) => {
  const base = createSharedFolder(t, 0o1777);
  plantCode(base, planted);
  for (const level of [preflight(base), code(base)]) chmodSync(level, 0o755);
  for (const name of readdirSync(code(base))) chmodSync(join(code(base), name), 0o644);
  const marker = join(base, "marker");
  const run = () => spawnPreflight(["list"], { XDG_CACHE_HOME: base, MARKER: marker }, { uid: OTHER_USER });
  assert.match((await run()).out, /crd-skew/);
  assert.ok(!existsSync(marker));
  rmSync(preflight(base), { recursive: true });
  assert.match((await run()).out, /crd-skew/);
  const [name = ""] = readdirSync(code(base));
  assert.deepEqual([statSync(code(base)).uid, statSync(join(code(base), name)).uid], [OTHER_USER, OTHER_USER]);
});

test("a cache that can only be read is used", needsOtherUser, async (t) => {
  const base = createSharedFolder(t);
  plantCode(base, planted);
  giveTo(OTHER_USER, preflight(base));
  for (const level of [code(base), preflight(base)]) chmodSync(level, 0o500);
  const marker = join(createSharedFolder(t, 0o777), "marker");
  await spawnPreflight(["list"], { XDG_CACHE_HOME: base, MARKER: marker }, { uid: OTHER_USER });
  assert.ok(existsSync(marker));
});

test("a home that a group can write to, as on OpenShift, does without", needsOtherUser, async (t) => {
  const home = createSharedFolder(t, 0o775);
  const { code: exit, err } = await spawnPreflight(["list"], { HOME: home }, { uid: OTHER_USER });
  assert.deepEqual([exit, err, readdirSync(home)], [0, "", []]);
});

test("old files are removed without following links", async (t) => {
  const base = createSharedFolder(t);
  const elsewhere = createSharedFolder(t);
  const old = { XDG_CACHE_HOME: base };
  await spawnPreflight(["list"], old);
  const [name = ""] = readdirSync(code(base));
  const outside = join(elsewhere, "file");
  writeFileSync(outside, "");
  symlinkSync(outside, join(code(base), "link"));
  mkdirSync(join(code(base), "folder"));
  for (const path of [join(code(base), "link"), join(code(base), "folder"), outside]) lutimesSync(path, 0, 0);
  rmSync(join(code(base), name));
  await spawnPreflight(["list"], old);
  assert.deepEqual(readdirSync(code(base)).toSorted(), [name, "folder"].toSorted());
  assert.equal(readFileSync(outside, "utf8"), "");
});

test("processes that start at once all get a result, and leave one whole file", async (t) => {
  const base = createSharedFolder(t);
  const run = () => spawnPreflight(["list"], { XDG_CACHE_HOME: base });
  const results = await Promise.all([run(), run(), run()]);
  for (const { code: exit, out, err } of results) assert.deepEqual([exit, out, err], [0, results[0]?.out, ""]);
  assert.equal(readdirSync(code(base)).length, 1);
  assert.deepEqual(await run(), results[0]);
});
