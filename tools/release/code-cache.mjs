// What V8 compiles of a script, kept: `node FLAGS code-cache.mjs write|verify SCRIPT CACHE`
//
// Written with --hash-seed=1, the bytes are the same each time. V8 accepts a cache only under the flags that it was made with, so that
// flag is taken back before; by then it has had its effect.
import { readFileSync, writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";

const [task, path, cache] = process.argv.slice(2);
const source = readFileSync(path, "latin1");

function write() {
  setFlagsFromString("--hash-seed=0");
  writeFileSync(cache, new Script(source, { filename: "preflight" }).createCachedData());
}

function verify() {
  const { cachedDataRejected } = new Script(source, { filename: "preflight", cachedData: readFileSync(cache) });
  if (cachedDataRejected) throw new Error("V8 rejects the code cache");
}

if (task === "write") write();
else verify();
