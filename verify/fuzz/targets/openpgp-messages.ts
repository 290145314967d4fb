import assert from "node:assert/strict";
import { parseSignedMessage, verifyRelease } from "../../../src/release/image/signature/release-signature.ts";
import * as gpg from "../../signatures/gpg-samples.ts";
import type { FuzzTarget } from "../target.ts";

const KEYRINGS = [{ name: "verifier-public-key-a", bytes: gpg.GPG_KEY }];
const NOW = new Date("2026-11-20T00:00:00Z");
const SIGNED = [gpg.GPG_SIGNATURE, gpg.GPG_TEXT_SIGNATURE];
const CONTENTS = SIGNED.map(getSignedText);

/** A signature that was changed is verified only if what is signed stayed as it was. */
export const target: FuzzTarget = {
  seeds: [...SIGNED, gpg.GPG_BZIP2_SIGNATURE],
  run: (input) => {
    const verdict = verifyRelease(gpg.SIGNED_DIGEST, KEYRINGS, [{ bytes: input, origin: "signature-1" }], NOW);
    if (verdict.kind === "verified") assert.ok(CONTENTS.includes(getSignedText(input)));
  },
};

/** Text is signed with the line ends of the network. */
function getSignedText(message: Buffer): string {
  return parseSignedMessage(message).content.toString("latin1").replaceAll(/\r?\n/g, "\r\n");
}
