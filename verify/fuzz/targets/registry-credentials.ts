import { createCredentialFinder } from "../../../src/release/image/registry/credential-files.ts";
import { writeScratch } from "../scratch.ts";
import type { FuzzTarget } from "../target.ts";

const AUTH = Buffer.from("user:password").toString("base64");
const FILES = [
  { auths: { "quay.io/org": { auth: AUTH }, "https://a.example.com/v2/": { username: "a", password: "b" } } },
  { auths: { "a.example.com:5000": { identitytoken: "t" } } },
];
const SIGNAL = new AbortController().signal;

/** A file with credentials, without the programs that it may name. */
export const target: FuzzTarget = {
  seeds: FILES.map((file) => JSON.stringify(file)),
  run: async (input) => {
    const text = input.toString("utf8").replaceAll(/cred(?:Helpers|sStore)/g, "");
    const authFile = writeScratch("auth.json", text);
    const find = createCredentialFinder({ env: {}, authFile, signal: SIGNAL });
    await find("quay.io", "org/a");
    await find("a.example.com:5000", "b");
  },
};
