import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { SignatureState } from "../../src/controller/observation.ts";
import { createSignatureVerifier, type SignatureVerifier } from "../../src/controller/signature.ts";
import { FailedError } from "../../src/model/errors.ts";
import type { ImageVerification } from "../../src/model/release.ts";
import { SILENT_LOGGER } from "../support/controller/reconcile.ts";
import { clusterVersion, imageOf } from "../../verify/operator/status-sample.ts";

const PENDING: SignatureState = { kind: "pending" };

describe("the verdict on a signature", () => {
  type Stage = {
    readonly check: (image?: string) => SignatureState;
    readonly answer: (verification: ImageVerification | Error) => Promise<void>;
    readonly digests: string[];
    readonly pass: (ms: number) => void;
    readonly verdicts: () => number;
    readonly stop: () => void;
  };
  function start(): Stage {
    const stopping = new AbortController();
    const waiting: PromiseWithResolvers<ImageVerification>[] = [];
    const digests: string[] = [];
    let clock = 0;
    let verdicts = 0;
    const verifier: SignatureVerifier = createSignatureVerifier(
      {
        verifySignature: (digest) => {
          digests.push(digest);
          const pending = Promise.withResolvers<ImageVerification>();
          waiting.push(pending);
          return pending.promise;
        },
        log: SILENT_LOGGER,
        clock: () => clock,
        retryMs: 60_000,
        onVerdict: () => (verdicts += 1),
      },
      stopping.signal,
    );
    return {
      check: (image = imageOf("5.2.0")) => verifier.check(image, clusterVersion()),
      answer: async (verification) => {
        const next = waiting.shift();
        if (verification instanceof Error) next?.reject(verification);
        else next?.resolve(verification);
        await new Promise((resolve) => void setImmediate(resolve));
      },
      digests,
      pass: (ms) => (clock += ms),
      verdicts: () => verdicts,
      stop: () => stopping.abort(),
    };
  }
  const VERIFIED: ImageVerification = { status: "Verified", message: "verified by Demo" };
  const NONE: ImageVerification = { status: "Unknown", message: "could not be verified: no signature was found" };

  test("comes in the background, and is kept", async () => {
    const { check, answer, digests, pass, verdicts } = start();
    assert.deepEqual([check(), check(), digests.length], [PENDING, PENDING, 1]);
    assert.match(digests[0] ?? "", /^sha256:[0-9a-f]{64}$/);
    await answer(VERIFIED);
    pass(3_600_000);
    assert.deepEqual([check(), verdicts(), digests.length], [{ kind: "verified" }, 1, 1]);
  });

  test("is sought again a minute later if it was not verified, and stays until the next one", async () => {
    const { check, answer, digests, pass } = start();
    check();
    await answer(NONE);
    pass(59_000);
    assert.deepEqual([check().kind, digests.length], ["notVerified", 1]);
    pass(1_000);
    assert.deepEqual([check().kind, check().kind, digests.length], ["notVerified", "notVerified", 2]);
    await answer(VERIFIED);
    assert.equal(check().kind, "verified");
  });

  test("on one image is none on another", async () => {
    const { check, answer, digests } = start();
    check();
    assert.equal(check(imageOf("5.1.9")).kind, "pending");
    await answer(VERIFIED);
    assert.equal(check(imageOf("5.1.9")).kind, "pending");
    assert.equal(new Set(digests).size, 2);
  });

  test("is not wanted any more once the controller stops", async () => {
    const { check, answer, verdicts, stop } = start();
    check();
    stop();
    await answer(VERIFIED);
    assert.deepEqual([check().kind, verdicts()], ["pending", 0]);
  });

  for (const [verification, expected] of [
    [
      NONE,
      /^The runner is not started: the signature of \S+ could not be verified: no signature was found\. The runner s/,
    ],
    [
      NONE,
      / oc-mirror and .* bring a missing signature to the cluster\. Or repeat the request with --allow-unverified\.$/,
    ],
    [
      { status: "Untrusted", message: "not signed by a key that this cluster trusts" },
      /the release image \S+ is not signed by a key that this cluster trusts\. Request an image that the cluster trusts, or/,
    ],
    [new FailedError("no credentials"), / could not be verified: no credentials\. /],
  ] as const)
    test(`says what to do: ${expected.source}`, async () => {
      const { check, answer } = start();
      check();
      await answer(verification);
      const state = check();
      assert.match(state.kind === "notVerified" ? state.message : "", expected);
    });
});
