import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { open, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { formatError } from "../../src/model/errors.ts";
import { publish, unpublish } from "../../src/publish/atomic-file.ts";
import { createTemporaryFolder } from "../support/publish/sample-document.ts";

/** Calls `onSync` with the path of each file that is synced, instead of a sync. */
async function replaceSync(t: TestContext, folder: string, onSync: (path: string) => unknown): Promise<void> {
  const handle = await open(folder, "r");
  const prototype: unknown = Object.getPrototypeOf(handle);
  await handle.close();
  assert.ok(typeof prototype === "object" && prototype !== null);
  const original: unknown = Reflect.get(prototype, "sync");
  t.after(() => Reflect.set(prototype, "sync", original));
  Reflect.set(prototype, "sync", async function sync(this: { readonly fd: number }): Promise<void> {
    await onSync(readlinkSync(`/proc/self/fd/${this.fd}`));
  });
}

const failWith = (code: string): never => {
  throw Object.assign(new Error(code), { code });
};

describe("what a crash must not take away", { skip: !existsSync("/proc/self/fd") }, () => {
  test("the text is synced before its file gets its name, and the folder afterwards", async (t) => {
    const folder = await createTemporaryFolder(t);
    const path = join(folder, "doc.json");
    await writeFile(path, "old");
    const synced: string[] = [];
    await replaceSync(t, folder, (file) =>
      synced.push(`${file === folder ? "the folder" : readFileSync(file, "utf8")}: ${readFileSync(path, "utf8")}`),
    );
    await publish(path, "new");
    assert.deepEqual(synced, ["new: old", "the folder: new"]);
  });

  test("a removed file is removed for good", async (t) => {
    const folder = await createTemporaryFolder(t);
    const path = join(folder, "doc.json");
    await publish(path, "text");
    const synced: string[] = [];
    await replaceSync(t, folder, (file) => synced.push(`${file}: ${readdirSync(folder).join()}`));
    await unpublish(path);
    assert.deepEqual(synced, [`${folder}: `]);
    await unpublish(path);
  });

  for (const code of ["EINVAL", "ENOTSUP"])
    test(`a file system that answers ${code} cannot sync a folder, and does without`, async (t) => {
      const folder = await createTemporaryFolder(t);
      const path = join(folder, "doc.json");
      await replaceSync(t, folder, (file) => file !== folder || failWith(code));
      await publish(path, "text");
      assert.equal(readFileSync(path, "utf8"), "text");
    });

  test("a folder that cannot be synced for another reason is an error", async (t) => {
    const folder = await createTemporaryFolder(t);
    await replaceSync(t, folder, (file) => file !== folder || failWith("EIO"));
    const message = await publish(join(folder, "doc.json"), "text").then(String, formatError);
    assert.match(message, /^writing .*doc\.json: EIO/);
  });

  test("a text that cannot be synced leaves the old one, and no other file", async (t) => {
    const folder = await createTemporaryFolder(t);
    const path = join(folder, "doc.json");
    await writeFile(path, "old");
    await replaceSync(t, folder, () => failWith("EIO"));
    await assert.rejects(publish(path, "new"));
    assert.deepEqual(await readdir(folder), ["doc.json"]);
    assert.equal(readFileSync(path, "utf8"), "old");
  });

  test("a write begins anew up to five times when its folder goes", async (t) => {
    const parent = await createTemporaryFolder(t);
    const folder = join(parent, "a");
    const path = join(parent, "a/doc.json");
    for (const [losses, syncs, expected] of [
      [4, 6, /^undefined$/],
      [Infinity, 5, /^writing .*doc\.json: ENOENT/],
    ] as const) {
      const synced: string[] = [];
      await replaceSync(t, parent, (file) => {
        synced.push(file);
        return synced.length > losses ? undefined : rm(folder, { recursive: true });
      });
      assert.match(await publish(path, "text").then(String, formatError), expected);
      assert.equal(synced.length, syncs);
    }
  });

  test("nothing stays open", async (t) => {
    const folder = await createTemporaryFolder(t);
    const before = readdirSync("/proc/self/fd").length;
    for (let number = 0; number < 20; number += 1) await publish(join(folder, "doc.json"), String(number));
    // Others may open a few meanwhile.
    assert.ok(readdirSync("/proc/self/fd").length < before + 20);
  });
});
