import assert from "node:assert/strict";
import { parseKeyring } from "../../../src/release/image/signature/public-keys.ts";
import * as gpg from "../../signatures/gpg-samples.ts";
import type { FuzzTarget } from "../target.ts";

const KNOWN = new Set(
  [gpg.GPG_KEY, gpg.GPG_REVOKED_KEY].flatMap((ring) => parseKeyring(ring)).map(({ keyId }) => keyId),
);

/** No change of a keyring makes a key that may sign, since each is certified by its own signature. */
export const target: FuzzTarget = {
  seeds: [gpg.GPG_KEY, gpg.GPG_REVOKED_KEY],
  maxBytes: 8192,
  run: (input) => {
    for (const key of parseKeyring(input)) assert.ok(KNOWN.has(key.keyId), key.keyId);
  },
};
